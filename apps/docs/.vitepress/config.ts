import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { repositoryLinks } from './repository-links.ts'
import { item, sidebar } from './sidebar.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** By the path of a page in the repository, without `.md`: its path on the site. */
const rewrites = {
  'docs/README.md': 'index.md',
  'docs/endpoints/README.md': 'endpoints/index.md',
  'docs/:page.md': ':page.md',
  'docs/endpoints/:page.md': 'endpoints/:page.md',
  'docs/decisions/:page.md': 'decisions/:page.md',
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
}

/** A copy of what is read here, since a page finds Vue only below this package. */
const pages = fileURLToPath(new URL('../pages', import.meta.url))
rmSync(pages, { recursive: true, force: true })
for (const name of ['docs', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'])
  cpSync(join(repository, name), join(pages, name), { recursive: true })

export default defineConfig({
  title: 'Lanyard',
  description: 'Smart account wallets that you run yourself.',
  lang: 'en',
  base: '/docs/',
  srcDir: 'pages',
  rewrites,
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  // The service's policy allows no script inside of a page; what VitePress leaves there is the same on all, so its hash is allowed.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    // Error bodies name their page by the code.
    anchor: { slugify: (text) => (/^[A-Z0-9_]+$/.test(text) ? text : slug(text)) },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (markdown) => {
      repositoryLinks(markdown, { pages, repository })
      const fence = markdown.renderer.rules.fence
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index]
        if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
        return `<MermaidDiagram code="${encodeURIComponent(token.content)}" />`
      }
    },
  },
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    build: { chunkSizeWarningLimit: 4_000 },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      item('Quick start', '/quick-start'),
      item('Concepts', '/concepts'),
      item('Endpoints', '/endpoints/'),
      // Not of this site, so a full load.
      { text: 'Try the API', link: '/reference', target: '_self' },
    ],
    sidebar,
  },
})

/** As GitHub names the anchors of headings, so that links work on both. */
function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
