"""How the report looks: one style sheet, light and dark from the same variables, for screen, phone and print."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b2430; --soft: #5a6675; --line: #d9dfe6; --tint: #f4f6f9;
  --accent: #1f5fa8; --accent-tint: #e3edf9; --good: #1a7f4b; --good-tint: #e4f5ec; --bad: #b3261e; --bad-tint: #fbe9e7;
  --warn: #8a5a00; --warn-tint: #fff4dc; --mark: #ffe58a; --track: #e8edf3; }
@media (prefers-color-scheme: dark) { :root { --paper: #12171d; --ink: #e4e9ef; --soft: #9aa7b5; --line: #2b343e;
  --tint: #1a2129; --accent: #74aef0; --accent-tint: #1c2f47; --good: #5fcf97; --good-tint: #15301f; --bad: #ff8f84;
  --bad-tint: #3a1a18; --warn: #ffcf70; --warn-tint: #35290f; --mark: #6b5a12; --track: #252e38; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 44px 0 12px; }
h3 { font-size: 14px; margin: 18px 0 8px; }
.eyebrow { color: var(--soft); font-size: 13px; margin: 0 0 2px; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin: 0; gap: 12px 20px;
  padding: 14px 16px; background: var(--tint); border-radius: 10px; }
.facts dt { color: var(--soft); font-size: 12px; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.warning { margin-top: 16px; padding: 12px 16px; border-left: 4px solid var(--warn); background: var(--warn-tint); }
.note, .unit, .counts, .host, .rest { color: var(--soft); font-size: 13px; }
.note { max-width: 75ch; margin: 8px 0; } .unit, .counts { font-weight: 400; } .counts { margin-left: 10px; }
.scroll { overflow-x: auto; } .scroll:focus-visible, .frames:focus-visible, summary:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.board { width: 100%; }
th, td { padding: 7px 12px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--soft); font-size: 12px; font-weight: 600; border-bottom-color: var(--soft); }
tbody th { font-weight: 600; } .n { text-align: right; white-space: nowrap; } .interval { color: var(--soft); }
.board th:first-child { position: sticky; left: 0; background: var(--paper); }
.plots { display: grid; grid-template-columns: 1fr 1fr; gap: 32px; margin-top: 20px; }
.plot { margin: 0; } figcaption { font-weight: 600; font-size: 14px; margin-bottom: 4px; }
svg text { fill: var(--ink); font-size: 13px; } svg .axis { fill: var(--soft); font-size: 11px; }
svg .value { font-variant-numeric: tabular-nums; } svg .label { font-weight: 600; }
svg .track { fill: var(--track); } svg .bar { fill: var(--accent); } svg .grid { stroke: var(--line); }
svg .whisker { stroke: var(--ink); stroke-width: 1.5; }
.question { font-size: 16px; } .film .question { max-width: 80ch; margin: 0 0 4px; }
.frames { display: flex; align-items: flex-start; gap: 22px; list-style: none; margin: 0; padding: 2px 2px 12px;
  overflow-x: auto; }
.frame { position: relative; flex: 0 0 210px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px;
  font-size: 13px; background: var(--paper);
  overflow-wrap: anywhere; }
.frame:not(:last-child)::after { content: "→"; position: absolute; right: -18px; top: 28px; color: var(--soft); }
.frame.query { background: var(--accent-tint); border-color: transparent; } .frame q { font-size: 15px; }
.frame.more { flex-basis: 90px; color: var(--soft); border-style: dashed; }
.frame .kind, .frame .host, .frame strong, .frame q, .frame .rest { display: block; }
.kind { color: var(--soft); font-size: 11px; font-weight: 600; margin-bottom: 4px; }
.results { margin: 0; padding-left: 20px; } .results .opened { font-weight: 600; color: var(--accent); }
.results .opened::after { content: " ↗"; }
.cells { list-style: none; margin: 8px 0 0; padding: 0; } .cells li { margin-top: 6px; }
.passage { display: block; color: var(--soft); }
mark { background: var(--mark); color: var(--ink); padding: 0 2px; }
.cell { color: var(--good); font-size: 12px; font-weight: 600; }
.cell.doubt { color: var(--warn); }
.found { display: block; margin-top: 6px; font-size: 12px; }
.chip { display: inline-block; padding: 1px 8px; border-radius: 999px; background: var(--tint); color: var(--soft);
  font-size: 12px; border: 1px solid var(--line); margin-top: 4px; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 8px 32px; }
.plain { list-style: none; margin: 0; padding: 0; } .plain li { margin-bottom: 4px; } .who { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 16px; font-size: 13px; }
details.task { border: 1px solid var(--line); border-radius: 10px; margin-bottom: 10px; }
details.task > summary { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: baseline; padding: 12px 16px;
  cursor: pointer; list-style-position: outside; }
details.task > summary::-webkit-details-marker { display: none; }
details.task > summary::before { content: "▸"; color: var(--soft); }
details.task[open] > summary::before { content: "▾"; }
details.task > summary .question { flex: 1 1 0; min-width: min(420px, 70%); font-size: 15px; }
.verdicts { display: flex; flex-wrap: wrap; gap: 4px 12px; font-size: 13px; } .verdict.good { color: var(--good); }
.verdict.bad { color: var(--bad); }
.answer { padding: 0 16px 10px; }
.answer > summary { cursor: pointer; padding: 8px 0; border-top: 1px solid var(--line); }
.raw { margin-top: 8px; font-size: 13px; color: var(--soft); } pre { white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--tint); padding: 10px; border-radius: 6px; }
.sign { font-weight: 700; } .key.matched, td.matched .sign { color: var(--good); }
.key.wrong, .key.missing, td.wrong .sign, td.missing .sign { color: var(--bad); }
.key.extra, .key.misplaced, td.extra .sign, td.misplaced .sign { color: var(--warn); }
td.wrong, td.missing { background: var(--bad-tint); } td.extra, td.misplaced { background: var(--warn-tint); }
del { color: var(--bad); } ins { color: var(--soft); text-decoration: none; } ins::before { content: "should be "; }
footer { margin-top: 48px; color: var(--soft); font-size: 12px; overflow-wrap: anywhere; }
@media (max-width: 700px) { main { padding: 20px 14px 48px; } h1 { font-size: 24px; }
  .plots { grid-template-columns: minmax(0, 1fr); gap: 20px; }
  .frames { flex-direction: column; align-items: stretch; gap: 20px; } .frame, .frame.more { flex: 0 0 auto; }
  .frame:not(:last-child)::after { content: "↓"; right: auto; top: auto; left: 16px; bottom: -20px; }
  .facts { grid-template-columns: 1fr 1fr; } .counts { display: block; margin-left: 0; } th, td { padding: 7px 8px; } }
@media print { .scroll, .frames { overflow: visible; flex-wrap: wrap; } details.task { break-inside: avoid; } }
"""
