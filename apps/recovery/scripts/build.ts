/** Builds the page: one self-contained HTML file. `node scripts/build.ts` */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = `${root}src/page/`
const licencesFile = 'licences.md'

/** Path of the built page. */
export const builtPage = `${root}dist/recovery.html`

/** Returns the script and the licences of the bundled packages. */
async function bundle(): Promise<{ script: string; licences: string }> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'baseline-widely-available',
      license: { fileName: licencesFile },
      lib: { entry: `${page}main.ts`, formats: ['iife'], name: 'recovery' },
    },
  })
  const files = [output].flat().flatMap((result) => ('output' in result ? result.output : []))
  const script = files.find((file) => file.type === 'chunk')
  const licences = files.find(({ fileName }) => fileName.endsWith(licencesFile))
  if (!script || licences?.type !== 'asset') throw new TypeError('Vite returns a script and its licences')
  return { script: script.code, licences: String(licences.source) }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows the page's own script and style by hash, and requests to any RPC that the user enters. */
const policyOf = (script: string, style: string) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'connect-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The colours that Tailwind reads as a theme, as plain custom properties. `--color-*` concerns Tailwind only. */
const asProperties = (palette: string) => palette.replace('@theme', ':root').replace(/^.*--color-\*.*\n/m, '')

/** Builds `dist/recovery.html`. */
export async function buildPage(): Promise<void> {
  const [template, palette, own, { script, licences }] = await Promise.all([
    readFile(`${page}page.html`, 'utf8'),
    readFile(fileURLToPath(import.meta.resolve('@lanyard/ui/palette.css')), 'utf8'),
    readFile(`${page}style.css`, 'utf8'),
    bundle(),
  ])
  const style = asProperties(palette) + own
  // Escapes sequences that would end the script element. Inside a string the escaped form means the same.
  const safe = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const parts: Readonly<Record<string, string>> = {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policyOf(safe, style)}">`,
    style: `<style>${style}</style>`,
    script: `<script>${safe}</script>`,
    licences: `<!--\n${licences.replaceAll('--', '- -')}\n-->`,
  }
  const html = template.replace(/<!-- (\w+) -->/g, (place, name) => parts[name] ?? place)
  await mkdir(`${root}dist`, { recursive: true })
  await writeFile(builtPage, html)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPage()
