/**
 * Builds the pages: self-contained HTML files. `node scripts/build.ts`
 *
 * `node scripts/build.ts networks.json` names other networks and RPCs for the page that takes a key. Its hash is then another.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = `${root}src/page/`
const keyPage = `${root}src/key-page/`
const licencesFile = 'licences.md'

/** Path of the built page. Its SHA-256 is beside it, in the form of `sha256sum`. */
export const builtPage = `${root}dist/recovery.html`

/** Path of the built page that takes an exported key. Its SHA-256 is beside it, in the form of `sha256sum`. */
export const builtKeyPage = `${root}dist/lanyard-key.html`

/** Returns the script and the licences of the bundled packages. */
async function bundle(entry: string, name: string): Promise<{ script: string; licences: string }> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'baseline-widely-available',
      license: { fileName: licencesFile },
      lib: { entry, formats: ['iife'], name },
    },
  })
  const files = [output].flat().flatMap((result) => ('output' in result ? result.output : []))
  const script = files.find((file) => file.type === 'chunk')
  const licences = files.find(({ fileName }) => fileName.endsWith(licencesFile))
  if (!script || licences?.type !== 'asset') throw new TypeError('Vite returns a script and its licences')
  return { script: script.code, licences: String(licences.source) }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows the page's own script and style by hash, and requests to the given addresses. */
const policyOf = (script: string, style: string, connections: string) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `connect-src ${connections}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The colours that Tailwind reads as a theme, as plain custom properties. `--color-*` concerns Tailwind only. */
const asProperties = (palette: string) => palette.replace('@theme', ':root').replace(/^.*--color-\*.*\n/m, '')

interface Parts {
  readonly template: string
  readonly entry: string
  readonly name: string
  /** Addresses of the policy. */
  readonly connections: string
  /** JSON that the page reads. */
  readonly networks?: string
}

async function assemble({ template, entry, name, connections, networks = '' }: Parts): Promise<string> {
  const [html, palette, own, { script, licences }] = await Promise.all([
    readFile(template, 'utf8'),
    readFile(fileURLToPath(import.meta.resolve('@lanyard/ui/palette.css')), 'utf8'),
    readFile(`${page}style.css`, 'utf8'),
    bundle(entry, name),
  ])
  const style = asProperties(palette) + own
  // Escapes sequences that would end the script element. Inside a string the escaped form means the same.
  const safe = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const parts: Readonly<Record<string, string>> = {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policyOf(safe, style, connections)}">`,
    style: `<style>${style}</style>`,
    script: `<script>${safe}</script>`,
    licences: `<!--\n${licences.replaceAll('--', '- -')}\n-->`,
    networks: `<script type="application/json" id="known-networks">${networks.replaceAll('<', '\\u003c')}</script>`,
  }
  return html.replace(/<!-- (\w+) -->/g, (place, part) => parts[part] ?? place)
}

/** Writes a page and its SHA-256. @returns the hash, hex */
async function writePage(out: string, html: string): Promise<string> {
  const hash = createHash('sha256').update(html).digest('hex')
  await mkdir(dirname(out), { recursive: true })
  await writeFile(out, html)
  await writeFile(`${out}.sha256`, `${hash}  ${basename(out)}\n`)
  return hash
}

/**
 * Builds `dist/recovery.html`. The user of that page enters RPCs.
 *
 * @returns the SHA-256 of the page, hex
 */
export async function buildPage(): Promise<string> {
  const html = await assemble({
    ...{ template: `${page}page.html`, entry: `${page}main.ts`, name: 'recovery' },
    connections: 'http: https:',
  })
  return writePage(builtPage, html)
}

/**
 * Builds the page that takes an exported key. It connects to the RPCs of its networks, and to no other address.
 *
 * @param networksFile - JSON like `src/key-page/networks.json`
 * @returns the SHA-256 of the page, hex
 */
export async function buildKeyPage(
  networksFile = `${keyPage}networks.json`,
  out = builtKeyPage,
): Promise<string> {
  const networks: readonly { readonly rpcUrls: readonly string[] }[] = JSON.parse(
    await readFile(networksFile, 'utf8'),
  )
  const origins = new Set(networks.flatMap(({ rpcUrls }) => rpcUrls.map((url) => new URL(url).origin)))
  const html = await assemble({
    ...{ template: `${keyPage}key.html`, entry: `${keyPage}main.ts`, name: 'bringKey' },
    ...{ connections: [...origins].join(' '), networks: JSON.stringify(networks) },
  })
  return writePage(out, html)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , networksFile] = process.argv
  process.stdout.write(`recovery.html sha256 ${await buildPage()}\n`)
  process.stdout.write(`lanyard-key.html sha256 ${await buildKeyPage(networksFile)}\n`)
}
