/** The reference: https://www.npmjs.com/package/openapi-explorer draws the OpenAPI document, with a console. */
export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Lanyard: API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/reference.css">
    <script src="/docs/reference-theme.js"></script>
    <script defer src="/docs/reference-explorer.js"></script>
    <script defer src="/docs/reference.js"></script>
  </head>
  <body>
    <header>
      <a href="/docs/">← Documentation</a>
      <h1>API reference</h1>
      <nav aria-label="More"><a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI document</a></nav>
    </header>
    <openapi-explorer hide-server-selection="true" hide-components="true" use-path-in-nav-bar="true">
      <p slot="overview">Every request is filled with an example that runs on the local networks of <code>npm start</code>. The
        accounts are public ones of anvil: first run <b>Create or fetch the smart account of an EOA</b> and <b>Get play money on a
        local network</b>. Examples with the username <code>alice</code> need a passkey account of that name, which you create in
        <a href="/">the wallet</a>. A signature, a hash or the answer of a passkey comes from an earlier call: put yours in its
        place.</p>
    </openapi-explorer>
    <noscript>This page needs JavaScript. <a href="/docs/endpoints/">The list of endpoints</a> does not.</noscript>
  </body>
</html>
`

/** Runs before the first paint. The documentation keeps the reader's choice under this name. */
export const themeScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
function setTheme() {
  const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto'
  document.documentElement.classList.toggle('dark', chosen === 'auto' ? dark.matches : chosen === 'dark')
}
setTheme()
dark.addEventListener('change', setTheme)
addEventListener('storage', setTheme)
`

/**
 * The explorer fills a field with the default of its schema, and shows an example only as a hint. The requests
 * of this reference are to run as shown, so each example becomes the default.
 */
export const startScript = `async function start() {
  const explorer = document.querySelector('openapi-explorer')
  const answer = await fetch('/openapi.json')
  const spec = await answer.json()
  for (const path of Object.values(spec.paths))
    for (const { parameters = [] } of Object.values(path))
      for (const parameter of parameters)
        if (parameter.example !== undefined) parameter.schema = { ...parameter.schema, default: String(parameter.example) }
  // From a pattern alone, the explorer would show random characters.
  for (const { schema } of Object.values(spec.components.parameters ?? {})) {
    delete schema.pattern
    schema.example = 'Optional, for example a new UUID'
  }
  spec.servers = [{ url: location.origin }]
  explorer.setAttribute('default-schema-tab', 'body')
  await customElements.whenDefined('openapi-explorer')
  await explorer.loadSpec(spec)
}
start().catch((error) => {
  const failed = document.createElement('p')
  failed.setAttribute('role', 'alert')
  failed.textContent = 'The reference could not be loaded: ' + error.message + '. Reload the page to try again.'
  document.querySelector('header').after(failed)
})
`

/** The documentation's colours. The explorer declares the same properties on itself, where these win. */
export const styles = `:root { color-scheme: light; --page: #fff; --text: #2c2f36; --link: #0c6a4c; --line: #d8dadf }
:root.dark { color-scheme: dark; --page: #1b1b1f; --text: #dfdfd6; --link: #63c9a2; --line: #3c3f44 }
* { box-sizing: border-box }
html, body { height: 100%; margin: 0 }
body { display: flex; flex-direction: column; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .75rem 1rem; border-bottom: 1px solid var(--line) }
header nav { margin-left: auto; display: flex; gap: 1rem }
h1 { font-size: 1rem; margin: 0 }
a { color: var(--link) }
[role=alert] { padding: 0 1rem }
openapi-explorer {
  flex: 1; min-height: 0; height: auto;
  --font-regular: system-ui, sans-serif; --font-mono: ui-monospace, Menlo, Consolas, monospace;
  --font-size-small: 14px; --font-size-mono: 14px; --font-size-regular: 16px; --border-radius: 6px;
  --bg: #fff; --bg2: #f6f6f7; --bg3: #ebebef; --light-bg: #e3e3e8; --input-bg: #fff; --hover-color: #f0f0f3;
  --fg: #2c2f36; --fg2: #3c3f46; --fg3: #4a4d55; --light-fg: #5a5e66; --placeholder-color: #5f636b;
  --border-color: #c2c2c8; --light-border-color: #e2e2e5; --code-border-color: #e2e2e5;
  --primary-color: #0c6a4c; --secondary-color: #0c6a4c; --primary-btn-text-color: #fff;
  --header-bg: #f6f6f7; --header-fg: #2c2f36; --header-color-darker: #0c6a4c; --header-color-border: #c2c2c8;
  --nav-bg-color: #f6f6f7; --nav-text-color: #3c3f46; --nav-hover-bg-color: #e3efe9; --nav-hover-text-color: #0a4d38;
  --nav-hover-scrollbar-color: #c2c2c8; --inline-code-fg: #8a1f1f; --code-fg: #3c3f46;
  --code-property-color: #7a0b4e; --code-keyword-color: #04588a; --code-operator-color: #6d4a1e;
  --red: #b01c2b; --green: #176b2f; --blue: #0b5a9c; --orange: #8f4a00; --yellow: #7a5a00; --purple: #5b33a5; --pink: #96215f; --gray: #565a61;
  --light-red: #fbeaec; --light-green: #e8f4eb; --light-blue: #e7f0f8; --light-orange: #fbf0e5; --light-yellow: #f8f2df; --light-purple: #f0ebf8; --light-gray: #eeeef0;
}
.dark openapi-explorer {
  --bg: #1b1b1f; --bg2: #202127; --bg3: #2a2b31; --light-bg: #32363f; --input-bg: #161618; --hover-color: #2a2b31;
  --fg: #dfdfd6; --fg2: #d0d0c8; --fg3: #bdbdb6; --light-fg: #b0b0aa; --placeholder-color: #a6a6a0;
  --border-color: #4c4f57; --light-border-color: #33363d; --code-border-color: #33363d;
  --primary-color: #63c9a2; --secondary-color: #63c9a2; --primary-btn-text-color: #10231c;
  --header-bg: #202127; --header-fg: #dfdfd6; --header-color-darker: #63c9a2; --header-color-border: #4c4f57;
  --nav-bg-color: #161618; --nav-text-color: #c9c9c2; --nav-hover-bg-color: #1f3a30; --nav-hover-text-color: #a9e4cb;
  --nav-hover-scrollbar-color: #4c4f57; --inline-code-fg: #ffb3b3; --code-fg: #d0d0c8;
  --code-property-color: #f3a6d0; --code-keyword-color: #8cc8ff; --code-operator-color: #e5c79a;
  --red: #ff9b9b; --green: #7fd6a0; --blue: #8cc8ff; --orange: #ffb877; --yellow: #e8cf7a; --purple: #c9b3ff; --pink: #f3a6d0; --gray: #b5b5b0;
  --light-red: #3a2024; --light-green: #1d3327; --light-blue: #1d2c3b; --light-orange: #3a2a1a; --light-yellow: #35301c; --light-purple: #2c2540; --light-gray: #2a2b31;
}
/* Under the pointer and in focus, the explorer gives the text the colour of the button. */
openapi-explorer::part(btn-try):hover, openapi-explorer::part(btn-try):focus-visible { color: var(--primary-btn-text-color) }
@media (max-width: 48rem) { header nav { margin-left: 0 } openapi-explorer > p { padding: 0 1rem } }
`
