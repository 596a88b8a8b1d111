// What a person does in a page, told to the recorder as it happens. Listens only: it never stops an event, never
// changes the page, never reads what a field holds. Every message goes out at once; a page may be gone a moment later.
(() => {
  const name = "__BINDING__";
  const tell = window[name];
  if (typeof tell !== "function") return;
  // A page that outlived a recorder goes on telling the next one of the same recording; it only says where it stands.
  if (document[name]) { document[name](); return; }
  // A page may take any tool away or put its own in its place; these are taken before its first script runs.
  const { stringify } = JSON;
  const { apply } = Reflect;
  const { composedPath } = Event.prototype;
  const Observer = MutationObserver;
  const styleOf = getComputedStyle.bind(window);
  const now = performance.now.bind(performance);
  const began = performance.timeOrigin;
  const wait = setTimeout.bind(window);
  const isMain = window === window.top;
  const id = Math.random().toString(36).slice(2, 12);
  let count = 0;
  let changes = 0;
  let deepest = 0;

  const send = (kind, data) => {
    count += 1;
    const said = {
      kind, document: id, n: count, at: began + now(), url: location.href, main: isMain, changes, ...data,
    };
    // What carries the message to the recorder uses the page's own tools: for that moment they are the browser's.
    const theirs = JSON.stringify;
    const odd = Object.getOwnPropertyDescriptor(Array.prototype, "toJSON");
    try {
      if (odd) delete Array.prototype.toJSON;
      JSON.stringify = stringify;
      const told = tell("__SECRET__" + stringify(said));
      if (told && told.catch) told.catch(() => {});
    } catch (error) { /* the recorder is away */ } finally {
      JSON.stringify = theirs;
      if (odd) Object.defineProperty(Array.prototype, "toJSON", odd);
    }
  };
  const listen = (type, handler, target = window) =>
    target.addEventListener(type, handler, { capture: true, passive: true });
  const pathOf = event => apply(composedPath, event, []);
  const firstOf = (nodes, isIt) => { for (let n = 0; n < nodes.length; n += 1) if (isIt(nodes[n])) return nodes[n]; };
  const later = (milliseconds, handler) => {
    let timer = 0;
    return () => { if (!timer) timer = wait(() => { timer = 0; handler(); }, milliseconds); };
  };

  const linkOf = event => firstOf(pathOf(event),
    node => node instanceof Element && /^(a|area)$/i.test(node.localName) && node.hasAttribute("href"));
  const hrefOf = link => typeof link.href === "string" ? link.href : (link.href && link.href.baseVal) || null;
  const regionOf = event => {
    const holder = firstOf(pathOf(event), node => node instanceof Element && node.id);
    return holder ? String(holder.id).slice(0, 60) : "";
  };
  // A summary by a language model, known as the parser knows it: by its heading, or by the help page it links to.
  const summaryWords = new Set(__SUMMARY_WORDS__);
  const isSummary = box => !!box.querySelector('a[href*="p=ai_overviews"]')
    || [...box.querySelectorAll("h1, h2, [role=heading]")].some(
      heading => summaryWords.has(heading.textContent.trim().replace(/\s+/g, " ").toLowerCase()));
  const inSummary = node => {
    let box = node instanceof Element ? node : node && node.parentElement;
    for (let step = 0; box && step < 60; step += 1, box = box.parentElement) {
      if (box.id === "eKIzJc") return true;
      if (box === document.body || /^(rso|search|main|rhs|botstuff)$/.test(box.id) || box.querySelector("h3")) return false;
      if (isSummary(box)) return true;
    }
    return false;
  };
  const opensSummary = path => !!firstOf(path, node => node instanceof Element
    && node.matches("button, summary, [role=button], [aria-expanded], [aria-controls]")) && inSummary(path[0]);
  const place = () => {
    const height = document.documentElement ? document.documentElement.scrollHeight : 0;
    deepest = Math.max(deepest, scrollY);
    return { y: scrollY, max_px: deepest, doc_h: height, depth: height ? Math.min(1, (deepest + innerHeight) / height) : 0 };
  };
  const click = event => {
    if (event.button > 1) return;
    const link = linkOf(event);
    const opens = !!link && (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey
      || /^_blank$/i.test(link.getAttribute("target") || ""));
    send("click", {
      data: {
        button: event.button, ctrl: event.ctrlKey, shift: event.shiftKey, meta: event.metaKey, alt: event.altKey,
        x: event.clientX, y: event.clientY, trusted: event.isTrusted, region: regionOf(event),
        link_url: link ? hrefOf(link) : null,
        link_text: link && !link.isContentEditable ? (link.innerText || link.textContent || "").trim().slice(0, 300) : "",
        opens_tab: opens, opens_summary: !link && opensSummary(pathOf(event)),
      },
      scroll: place(),
    });
  };
  listen("click", click);
  listen("auxclick", click);
  // A password stays one when the page shows it, and so does a code that is good once.
  const secrets = new WeakSet();
  const isSecret = field => {
    if (/password/i.test(field.getAttribute("type") || "")) secrets.add(field);
    return secrets.has(field) || /password|one-time-code/i.test(field.getAttribute("autocomplete") || "");
  };
  const noteSecret = event => { const field = pathOf(event)[0]; if (field instanceof Element) isSecret(field); };
  listen("focus", noteSecret);
  listen("beforeinput", noteSecret);
  // What a page writes into its own address while a person types is no place they went to, until they send it: by
  // Enter, by a form, or by pressing something that is no field. That they type is told, never what.
  let isTyping = false;
  let unsent = "";
  let stood = "";
  const isLine = node => node instanceof Element && node.localName === "input";
  const isChoice = node => node instanceof Element && (node.localName === "select"
    || (isLine(node) && /^(button|submit|reset|image|checkbox|radio|range|color|file)$/i.test(node.type)));
  const isText = node => node instanceof Element
    && (node.isContentEditable || node.localName === "textarea" || (isLine(node) && !isChoice(node))
      || styleOf(node).webkitUserModify !== "read-only");
  const sent = () => {
    isTyping = false;
    if (unsent && location.href === unsent) send("sent", { data: { address: unsent } });
    unsent = "";
  };
  const tellUnsent = () => {
    if (unsent && location.href === unsent) send("rewrote", { data: { address: unsent, before: stood } });
  };
  listen("input", event => {
    if (!event.isTrusted || isChoice(pathOf(event)[0])) return;
    if (location.href !== unsent) stood = location.href;
    isTyping = true;
  });
  const pressed = event => { if (event.isTrusted && !isText(pathOf(event)[0])) isTyping = false; };
  listen("pointerdown", pressed);
  listen("click", pressed);
  if (window.navigation) listen("currententrychange", () => {
    if (!isTyping) return;
    unsent = location.href;
    tellUnsent();
  }, window.navigation);
  listen("keydown", event => {
    if (event.key !== "Enter" || event.isComposing || !event.isTrusted) return;
    // In a field of many lines it may begin the next one; then text comes in and the person types on.
    if (isLine(pathOf(event)[0])) sent(); else isTyping = false;
    const field = event.target instanceof Element ? event.target : null;
    const kind = field ? (field.getAttribute("type") || field.localName) : "";
    const secret = !!field && isSecret(field);
    const length = field && !secret && typeof field.value === "string" ? field.value.length : null;
    send("enter", { data: { field_kind: String(kind).slice(0, 40), value_length: length } });
  });
  // A document that is one field as a whole looks like any other in a snapshot: its frame is left out from now on.
  const wrote = () => { if (document.designMode === "on") { window.removeEventListener("beforeinput", wrote, true); send("written", {}); } };
  listen("beforeinput", wrote);
  listen("submit", event => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !event.isTrusted) return;
    sent();
    const action = (form.getAttribute("action") || "").split(/[?#]/)[0];
    send("submit", { data: { action, method: (form.getAttribute("method") || "get").toLowerCase() } });
  });
  listen("scroll", later(250, () => { if (isMain) send("scroll", { data: place() }); }));
  // The text beside a selection, by which its place is known among equal ones: 80 signs, from 200 pieces at most.
  const near = (node, offset, step) => {
    let text = node.nodeType === 3 ? (step < 0 ? node.data.slice(0, offset) : node.data.slice(offset)) : "";
    const walker = document.createTreeWalker(node.getRootNode(), NodeFilter.SHOW_TEXT);
    walker.currentNode = node.childNodes[offset] || node;
    const isPart = piece => step > 0 && node.childNodes.length > 0 && !node.childNodes[offset] && node.contains(piece);
    if (step > 0 && walker.currentNode !== node && walker.currentNode.nodeType === 3) text += walker.currentNode.data;
    for (let pieces = 0; pieces < 200 && text.trim().length < 80; pieces += 1) {
      const piece = step < 0 ? walker.previousNode() : walker.nextNode();
      if (!piece) break;
      const holder = piece.parentNode;
      if (isPart(piece) || /^(script|style|noscript|template|textarea|title)$/.test(holder.localName || "")) continue;
      if (holder.isContentEditable || (holder.closest && holder.closest("[role=listbox]"))) continue;
      text = step < 0 ? piece.data + " " + text : text + " " + piece.data;
    }
    text = text.replace(/\s+/g, " ");
    return step < 0 ? text.slice(-80) : text.slice(0, 80);
  };
  const isWritten = __IS_WRITTEN__;
  listen("copy", event => {
    if (!event.isTrusted) return;
    const chosen = getSelection();
    const text = String(chosen || "").trim().slice(0, 2000);
    if (!text || !chosen.rangeCount) return;
    const range = chosen.getRangeAt(0);
    if (isWritten(range)) return;
    const prefix = near(range.startContainer, range.startOffset, -1);
    const suffix = near(range.endContainer, range.endOffset, 1);
    const isOf = inSummary(range.startContainer) || inSummary(range.endContainer);
    send("copy", { data: { text, prefix, suffix, in_summary: isOf } });
  });
  const visibility = () => {
    if (isMain) send("visibility", { data: { state: document.visibilityState, focused: document.hasFocus() } });
  };
  listen("visibilitychange", visibility, document);
  listen("focus", event => { if (event.target === window) visibility(); });
  listen("blur", event => { if (event.target === window) setTimeout(visibility, 0); });
  listen("pageshow", event => { if (isMain && event.persisted) { send("shown", {}); visibility(); } });
  listen("load", event => { if (isMain && event.target === document) send("loaded", {}); });

  // The observer only counts; the count rides on every message, so that unchanged pages are not kept twice.
  // The first change is told at once, since the page may be left within the second; then at most one a second.
  let toldAt = -Infinity;
  const tellChange = () => { toldAt = now(); if (isMain) send("changed", {}); };
  const tellChangeLater = later(1000, tellChange);
  const changed = () => (now() - toldAt > 1000 ? tellChange() : tellChangeLater());
  const observe = () => {
    new Observer(records => { changes += records.length; changed(); })
      .observe(document, { childList: true, subtree: true, characterData: true });
  };
  const introduce = () => {
    tellUnsent();
    const display = { width: screen.width, height: screen.height, scale: devicePixelRatio };
    send("document", { data: { state: document.visibilityState, focused: document.hasFocus(), screen: display } });
    if (isMain && document.readyState === "complete") send("loaded", {});
  };
  Object.defineProperty(document, name, { value: introduce });
  introduce();
  if (document.readyState === "complete") observe();
  else listen("load", observe);
})();
