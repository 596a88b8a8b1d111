// Adds the reader's local time to what a <time> shows on hover.
export function addLocalTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const moment = new Date(element.dateTime);
    element.dataset.local = "1";
    element.title = `${moment.toLocaleString()} here, ${element.title}`;
  }
}

addLocalTimes(document);
