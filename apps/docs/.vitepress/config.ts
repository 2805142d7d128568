import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { repositoryLinks } from './repository-links.ts'
import { item, sidebar } from './sidebar.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Maps the path of a page in the repository, without `.md`, to its path on the site. */
const rewrites = {
  'docs/README.md': 'index.md',
  'docs/endpoints/README.md': 'endpoints/index.md',
  'docs/:page.md': ':page.md',
  'docs/endpoints/:page.md': 'endpoints/:page.md',
  'docs/audit/README.md': 'audit/index.md',
  'docs/audit/:page.md': 'audit/:page.md',
  'docs/decisions/:page.md': 'decisions/:page.md',
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
}

/** A copy of the Markdown files: a page resolves Vue only from below this package. */
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
  // The service's content security policy forbids inline scripts. The ones that VitePress still writes are
  // the same on every page, so the policy allows their hash.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    // Error bodies link to their section by the error code.
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
      // Not part of this site, so it needs a full page load.
      { text: 'Try the API', link: '/reference', target: '_self' },
    ],
    sidebar,
  },
})

/** Creates the anchors that GitHub creates for headings, so that links work on both sites. */
function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
