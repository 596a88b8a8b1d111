// Which row of a table a row of its newer text was before. Rows are lists of bare texts; knows no cell and no page.

// Returns for each row of `after` the place of its row in `before`, or -1. The more values two rows share, the surer
// they are one; among equals the same place decides. Where several rows would do and differ, none is taken: a link
// under the wrong row would prove nothing.
export function samePlaces(before, after) {
  const places = after.map((row, at) => (row.some(Boolean) && alike(row, before[at]) ? at : -1));
  const taken = new Set(places);
  const pairs = sharing(before, after, (now) => places[now] < 0, (then) => !taken.has(then));
  for (const { now, then } of surest(pairs, before, after)) {
    if (places[now] >= 0 || taken.has(then)) continue;
    places[now] = then;
    taken.add(then);
  }
  return places;
}

const alike = (row, other) => other !== undefined && row.every((text, place) => text === other[place]);

// All pairs of rows that share a value in one column, with how many they share.
function sharing(before, after, isOpen, isFree) {
  const where = new Map();
  before.forEach((row, then) => row.forEach((text, column) => {
    if (!text || !isFree(then)) return;
    const key = `${column}\n${text}`;
    if (!where.has(key)) where.set(key, []);
    where.get(key).push(then);
  }));
  return after.flatMap((row, now) => {
    if (!isOpen(now)) return [];
    const shared = new Map();
    row.forEach((text, column) => {
      for (const then of where.get(`${column}\n${text}`) ?? []) shared.set(then, (shared.get(then) ?? 0) + 1);
    });
    return [...shared].map(([then, count]) => ({ now, then, count }));
  });
}

// The pairs to take, the surest first; those that another pair makes doubtful are left out.
function surest(pairs, before, after) {
  const newer = bestOf(pairs, (pair) => pair.now, (pair) => before[pair.then]);
  const older = bestOf(pairs, (pair) => pair.then, (pair) => after[pair.now]);
  const isSame = ({ now, then }) => now === then;
  const isSure = ({ now, then, count }) => [newer.get(now), older.get(then)].every((best) => best.count === count && best.isOne);
  return pairs.filter((pair) => isSame(pair) || isSure(pair))
    .sort((one, other) => other.count - one.count || isSame(other) - isSame(one) || one.now - other.now);
}

// For each row of one side the most values it shares, and whether the rows it shares so many with read the same.
function bestOf(pairs, sideOf, rowOf) {
  const best = new Map();
  for (const pair of pairs) {
    const found = best.get(sideOf(pair));
    if (!found || pair.count > found.count) best.set(sideOf(pair), { count: pair.count, row: rowOf(pair), isOne: true });
    else if (pair.count === found.count) found.isOne &&= alike(found.row, rowOf(pair));
  }
  return best;
}
