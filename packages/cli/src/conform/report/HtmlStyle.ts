/** How the HTML report looks. No fonts, images or scripts: the page must ask nobody for anything. */

/** The style sheet. */
export const style = `
:root { color-scheme: light dark; --ink: #1a1d21; --soft: #5c6570; --paper: #ffffff; --band: #f4f6f8; --line: #d5dae0;
  --pass: #14713a; --warn: #8a5a00; --fail: #b3261e; --skip: #5c6570; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #9aa4b0; --paper: #14171a; --band: #1d2126;
  --line: #363d45; --pass: #5bd08a; --warn: #e6b450; --fail: #ff8a80; --skip: #9aa4b0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 110rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; scroll-margin-top: 1rem; }
p { margin: .25rem 0; } .soft { color: var(--soft); }
a { color: inherit; } code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { margin: .25rem 0 .5rem; padding: .5rem .75rem; background: var(--band); overflow-x: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; border-radius: 4px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .35rem .7rem; text-align: left; vertical-align: top; }
thead th { background: var(--band); overflow-wrap: anywhere; } tbody th { font-weight: normal; }
.verdict { font-weight: 600; text-transform: uppercase; font-size: .85em; letter-spacing: .03em; }
.pass { color: var(--pass); } .warn, .warning { color: var(--warn); } .fail, .error { color: var(--fail); }
.skip, .info { color: var(--skip); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
.side { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; min-width: 0; }
ul { margin: .25rem 0; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
.wire .sent { border-left: 3px solid var(--soft); }
.wire .sent::before { content: "sent"; } .wire .received::before { content: "received"; }
.wire pre::before { display: block; color: var(--soft); font-size: .85em; }
summary { cursor: pointer; } summary:focus-visible, a:focus-visible { outline: 2px solid currentColor; }
body:has(#unclean:checked) .clean { display: none; }
@media print { .filter { display: none; } }
`
