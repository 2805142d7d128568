import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { documentAt, pathOf } from './pages.ts'

/**
 * The documents link to each other as files, so that links work in the repository. On the site, a link to a
 * page opens the page. Any other link becomes the path as plain text, since the service does not serve its
 * source. Pages that are not in the repository are named as `/docs/cli`, which becomes a link here.
 */
export function repositoryLinks(markdown: MarkdownRenderer, pages: string): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env, Token }) => {
    for (const token of tokens) {
      if (token.children) token.children = token.children.flatMap(linkToGenerated)
      const children = token.children ?? []
      const outside: boolean[] = []
      for (const [index, token] of children.entries()) {
        if (token.type === 'link_close' && outside.pop()) token.tag = 'span'
        if (token.type !== 'link_open') continue
        const [target = '', anchor] = (token.attrGet('href') ?? '').split('#')
        const isFile = target !== '' && !/^[a-z]+:|^\//.test(target)
        const path = isFile && relative(pages, resolve(dirname(env.realPath ?? env.path), decodeURI(target)))
        const page = path && pageOf(path, pages)
        if (page) token.attrSet('href', anchor ? `${page.path}#${anchor}` : page.path)
        const text = children[index + 1]
        // In the repository, link texts are file names. On the site they are page titles.
        if (page && text?.type === 'text' && /^[\w-]+\.md$/.test(text.content)) text.content = page.title
        outside.push(Boolean(path) && !page)
        if (!path || page) continue
        token.type = 'repository_path'
        token.tag = 'span'
        const own = token.attrGet('title')
        token.attrs = [
          ['class', 'repository-path'],
          ['title', `In the repository: ${path}${own ? `, ${own}` : ''}`],
        ]
      }
    }

    function linkToGenerated(token: InstanceType<typeof Token>): InstanceType<typeof Token>[] {
      const document = token.type === 'code_inline' && documentAt(token.content)
      const page = document && pageOf(document, pages)
      if (!page) return [token]
      const open = new Token('link_open', 'a', 1)
      open.attrSet('href', page.path)
      const text = new Token('text', '', 0)
      text.content = page.title
      return [open, text, new Token('link_close', 'a', -1)]
    }
  })
}

function pageOf(path: string, pages: string): { readonly path: string; readonly title: string } | undefined {
  const file = resolve(pages, path)
  const document = existsSync(file) && statSync(file).isDirectory() ? `${path}/README.md` : path
  const target = pathOf(document)
  if (!target || !existsSync(resolve(pages, document))) return undefined
  const title = /^# (.+)$/m.exec(readFileSync(resolve(pages, document), 'utf8'))?.[1] ?? document
  return { title, path: target }
}
