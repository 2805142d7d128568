import { errorCodes, errorTable } from '@lanyard/contracts'

const toText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text of the service, in which back quotes mark code. */
const toHtml = (text: string) => toText(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const section = (code: (typeof errorCodes)[number]) => {
  const { status, message, why, todo } = errorTable[code]
  return `<h2 id="${code}">${code} <small>${status}</small></h2>
<p>${toHtml(message)}</p>
<p><b>Why:</b> ${toHtml(why)}</p>
<p><b>What to do:</b> ${toHtml(todo)}</p>`
}

/** The page that explains every code; error bodies link to it. */
export const errorPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lanyard: errors</title>
<style>
:root { color-scheme: light dark }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { font: 1rem ui-monospace, monospace; margin-top: 2rem }
h2:target { outline: 2px solid; outline-offset: 4px }
</style>
</head>
<body>
<h1>Errors</h1>
<p>Every error has a <code>code</code>; <a href="/docs/reference">the API reference</a> says which endpoint answers which.</p>
${errorCodes.map(section).join('\n')}
</body>
</html>
`
