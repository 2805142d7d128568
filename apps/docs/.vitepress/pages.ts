import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The packages whose exports have a page. */
export const documentedPackages = ['react', 'connect', 'viem', 'client', 'mcp']

/** Files outside `docs` that are pages of the site: path in the repository → path on the site, without `.md`. */
export const otherPages: Readonly<Record<string, string>> = {
  'SECURITY.md': 'security',
  'SKILL.md': 'skill',
  'CONTRIBUTING.md': 'contributing',
  'CHANGELOG.md': 'changelog',
  'apps/recovery/README.md': 'recovery',
  'packages/client/README.md': 'packages/client',
  'packages/connect/README.md': 'packages/connect',
  'packages/create-lanyard/README.md': 'packages/create-lanyard',
  'packages/mcp/README.md': 'packages/mcp',
  'packages/react/README.md': 'packages/react',
  'packages/viem/README.md': 'packages/viem',
  'examples/agent/README.md': 'examples/agent',
  'examples/dapp/README.md': 'examples/dapp',
  'examples/embedded-app/README.md': 'examples/embedded-app',
  'examples/first-transaction/README.md': 'examples/first-transaction',
  'examples/forced-exit/README.md': 'examples/forced-exit',
  'examples/paid-api/README.md': 'examples/paid-api',
  'examples/session-agent/README.md': 'examples/session-agent',
  'examples/vanilla-app/README.md': 'examples/vanilla-app',
}

/** Maps the path of a page in the repository to its path on the site, both with `.md`. */
export const rewrites: Readonly<Record<string, string>> = {
  'docs/README.md': 'index.md',
  'docs/:page.md': ':page.md',
  ...Object.fromEntries(
    ['endpoints', 'audit'].map((folder) => [`docs/${folder}/README.md`, `${folder}/index.md`]),
  ),
  ...Object.fromEntries(
    ['api', 'audit', 'decisions', 'endpoints', 'guides'].map((folder) => [
      `docs/${folder}/:page.md`,
      `${folder}/:page.md`,
    ]),
  ),
  ...Object.fromEntries(Object.entries(otherPages).map(([file, path]) => [file, `${path}.md`])),
}

/** The path on the site of a document of the repository, if it is a page. */
export function pathOf(document: string): string | undefined {
  if (document === 'README.md') return '/quick-start'
  if (Object.hasOwn(otherPages, document)) return `/${otherPages[document]}`
  const [, page] = /^docs\/(.+)\.md$/.exec(document) ?? []
  return page && `/${page.replace(/(^|\/)README$/, '$1')}`
}

/** The document that is the page `/docs/cli` of the site, if the text is such an address: `docs/cli.md`. */
export function documentAt(address: string): string | undefined {
  const [, page] = /^\/docs\/([\w/-]+)$/.exec(address) ?? []
  return page && `docs/${page.endsWith('/') ? `${page}README` : page}.md`
}

/**
 * Puts all pages into a folder below this package, since a page resolves Vue only from there. The folder is laid out as the
 * repository is.
 *
 * @param generated - path in the repository → text
 */
export function copyPages(
  repository: string,
  pages: string,
  generated: Readonly<Record<string, string>>,
): void {
  rmSync(pages, { recursive: true, force: true })
  for (const name of ['docs', ...Object.keys(otherPages)])
    cpSync(join(repository, name), join(pages, name), { recursive: true })
  for (const [name, text] of Object.entries(generated)) {
    mkdirSync(join(pages, dirname(name)), { recursive: true })
    writeFileSync(join(pages, name), text)
  }
}

/**
 * Not part of `llms-full.txt`: what changed, why something is as it is, and tables that repeat names or have a text of their own.
 * `llms.txt` leads to them.
 */
const isLeftOut = (file: string) =>
  /^docs\/(api|audit|decisions|endpoints)\/|^docs\/(licences|promises|unstable-tests|benchmarks)\.md$/.test(
    file,
  ) || ['CHANGELOG.md', 'CONTRIBUTING.md', 'SKILL.md'].includes(file)

/**
 * Writes each page as Markdown beside its HTML, and for programs that read (llmstxt.org) `llms.txt`, and `llms-full.txt`: SKILL.md,
 * whose code runs, then the guides and all other pages, each after its address. Links to other pages lead to their Markdown.
 */
export function writeMarkdown(pages: string, folder: string): void {
  const files = [...globSync('docs/**/*.md', { cwd: pages }), ...Object.keys(otherPages)]
  const markdownAt = (path: string) => (path.endsWith('/') ? `${path}index.md` : `${path}.md`)
  const addressOf = (file: string) =>
    file === 'docs/llms.txt' ? '/llms.txt' : markdownAt(pathOf(file) ?? '/')
  const texts = new Map(
    [...files, 'docs/llms.txt'].map((file) => {
      const text = readFileSync(join(pages, file), 'utf8')
      const linked = text.replaceAll(
        /\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
        (link, target, anchor = '') => {
          const page = pathOf(join(dirname(file), target))
          return page ? `](/docs${markdownAt(page)}${anchor})` : link
        },
      )
      return [file, linked]
    }),
  )
  for (const [file, text] of texts) {
    mkdirSync(join(folder, dirname(addressOf(file))), { recursive: true })
    writeFileSync(join(folder, addressOf(file)), text)
  }
  const guidesFirst = files.toSorted(
    (one, other) => Number(!one.startsWith('docs/guides/')) - Number(!other.startsWith('docs/guides/')),
  )
  const full = ['SKILL.md', ...guidesFirst.filter((file) => !isLeftOut(file))].map(
    (file) => `<!-- /docs${addressOf(file)} -->\n\n${texts.get(file)?.trim()}\n`,
  )
  writeFileSync(join(folder, 'llms-full.txt'), full.join('\n\n'))
}
