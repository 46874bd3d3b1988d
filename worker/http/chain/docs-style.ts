/**
 * The stylesheet of the API's documentation page. The page's Content-Security-Policy allows only this stylesheet, by
 * its hash.
 */
export const DOCS_STYLE = `
:root { color-scheme: light dark;
  --paper: light-dark(oklch(98.5% 0.006 85), oklch(19% 0.012 265));
  --sheet: light-dark(oklch(100% 0 0), oklch(23% 0.014 265));
  --ink: light-dark(oklch(24% 0.02 265), oklch(94% 0.008 85));
  --pencil: light-dark(oklch(48% 0.02 265), oklch(72% 0.015 265));
  --rule: light-dark(oklch(88% 0.01 265), oklch(34% 0.014 265));
  --lamp: light-dark(oklch(50% 0.13 62), oklch(78% 0.14 70)); }
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, .columns { max-width: 1080px; margin: 0 auto; padding: 24px 16px; }
header p, main p { max-width: 62ch; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 20px; margin: 40px 0 8px; }
h3 { font-size: 16px; margin: 0 0 8px; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 14px; margin: 16px 0 4px; color: var(--pencil); font-weight: 600; }
a { color: var(--lamp); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--lamp); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: 16px; top: -60px; background: var(--sheet); padding: 8px 12px; }
.skip:focus { top: 8px; }
nav h2 { font-size: 14px; margin: 16px 0 4px; color: var(--pencil); }
nav ul { list-style: none; margin: 0; padding: 0; columns: 2; font-size: 14px; }
nav li { break-inside: avoid; }
nav a { display: inline-block; padding: 4px 0; overflow-wrap: anywhere; }
article { background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px; padding: 16px; margin: 16px 0; }
article:target { border-color: var(--lamp); }
code, pre { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.route { margin: 0 0 8px; }
.scroll { overflow-x: auto; }
pre.scroll { overflow-wrap: normal; background: var(--paper); border: 1px solid var(--rule); border-radius: 6px; padding: 12px; margin: 0; }
pre code { overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; font-size: 14px; table-layout: fixed; }
col.name { width: 42%; }
col.must { width: 72px; }
@media (max-width: 859px) { table code { font-size: 13px; } }
caption { text-align: left; color: var(--pencil); font-weight: 600; padding: 8px 0 4px; }
th, td { text-align: left; vertical-align: top; padding: 4px 8px 4px 0; overflow-wrap: anywhere; border-top: 1px solid var(--rule); }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th { font-weight: 400; }
td:nth-child(2) { color: var(--pencil); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 0; font-size: 14px; }
dd { margin: 0; }
@media (min-width: 860px) {
  .columns { display: grid; grid-template-columns: 220px minmax(0, 1fr); gap: 40px; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 24px; }
  nav ul { columns: 1; }
  nav h2:first-child, main section:first-child > h2 { margin-top: 16px; }
}
`
