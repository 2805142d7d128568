import { fileURLToPath } from 'node:url'
import { renderMermaidSVG } from 'beautiful-mermaid'
import { defineConfig } from 'vitepress'
import { generatedPages } from '../scripts/generated-pages.ts'
import { copyPages, rewrites, writeMarkdown } from './pages.ts'
import { repositoryLinks } from './repository-links.ts'
import { item, sidebar } from './sidebar.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

const pages = fileURLToPath(new URL('../pages', import.meta.url))
copyPages(repository, pages, generatedPages(repository))

export default defineConfig({
  title: 'Lanyard',
  description: 'Smart account wallets that you run yourself.',
  lang: 'en',
  base: '/docs/',
  ignoreDeadLinks: 'localhostLinks', // addresses of a service that the reader runs
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
      repositoryLinks(markdown, pages)
      // In the repository, the index begins with a picture and a table. On the site, with the component that draws them.
      markdown.core.ruler.push('home', ({ tokens, Token }) => {
        const index = tokens.findIndex(({ content }) => content.trim() === '<!-- index -->')
        if (index < 0) return
        const home = new Token('html_block', '', 0)
        home.content = '<DocsHome />\n'
        tokens.splice(0, index + 1, home)
      })
      const fence = markdown.renderer.rules.fence
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index]
        if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
        return `<figure class="diagram" v-html="${attribute(JSON.stringify(diagramOf(token.content)))}"></figure>`
      }
    },
  },
  // The first page needs the whole width.
  transformPageData: ({ relativePath }) =>
    relativePath === 'index.md'
      ? {
          frontmatter: {
            sidebar: false,
            aside: false,
            outline: false,
            editLink: false,
            prev: false,
            next: false,
          },
        }
      : undefined,
  // Programs read the pages as Markdown (llmstxt.org).
  buildEnd: ({ outDir }) => writeMarkdown(pages, outDir),
  vite: {
    plugins: [
      {
        name: 'palette',
        enforce: 'pre',
        // Tailwind reads it as a theme. Here its colours are plain custom properties.
        transform: (code, id) =>
          id.endsWith('/palette.css')
            ? code.replace('@theme', ':root').replace(/^.*--color-\*.*\n/m, '')
            : undefined,
      },
    ],
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    build: { chunkSizeWarningLimit: 4_000 },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: {
      provider: 'local',
      // What changed, and which test shows what, repeats the words of every page and answers no question.
      options: {
        // A page that has all words answers better than one that repeats a few.
        miniSearch: { searchOptions: { combineWith: 'AND', boost: { title: 8, titles: 2, text: 1 } } },
        _render: (source, env, markdown) =>
          /(^|\/)(changelog|promises|unstable-tests)\.md$/i.test(env.relativePath)
            ? ''
            : markdown.render(source, env),
      },
    },
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

/** Drawn at build time, in the colours of the page: they are custom properties, so both themes need one drawing. */
const diagramOf = (text: string) =>
  renderMermaidSVG(text, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    accent: 'var(--vp-c-brand-1)',
    font: 'system-ui',
    transparent: true,
  }).replace(/@import url\([^)]*\);?/g, '') // no font of a third party

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Creates the anchors that GitHub creates for headings, so that links work on both sites. */
function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
