import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { documentedPackages } from '../.vitepress/pages.ts'
import { apiPage } from './api-page.ts'

/** What the generated pages are written from, in the repository. */
export const generatedFrom = [
  'apps/api/scripts',
  'apps/api/src/admin',
  'apps/api/src/transport/openapi',
  'packages/contracts/src',
  ...documentedPackages.map((name) => `packages/${name}/src`),
  'pnpm-lock.yaml',
  'scripts/check-licences.mjs',
]

function apiPageOf(repository: string, name: string): string {
  const folder = join(repository, 'packages', name)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  // A style sheet exports nothing.
  const modules = Object.entries<string>(exports).filter(([path]) => !path.endsWith('.css'))
  return apiPage(`@lanyard/${name}`, folder, Object.fromEntries(modules))
}

/**
 * The pages of the site that are not in the repository, since programs write them: commands, endpoints, exports of the
 * published packages, licences, and the index for programs that read.
 *
 * @returns where each page would be in the repository → its text
 */
export function generatedPages(repository: string): Readonly<Record<string, string>> {
  const outputOf = (program: string, ...parameters: string[]) =>
    execFileSync(process.execPath, [join(repository, program), ...parameters], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${repository}/node_modules/.bin${delimiter}${process.env.PATH}` },
      maxBuffer: 64 * 1024 * 1024,
    })
  return {
    ...JSON.parse(outputOf('apps/api/scripts/reference-pages.ts')),
    ...Object.fromEntries(
      documentedPackages.map((name) => [`docs/api/${name}.md`, apiPageOf(repository, name)]),
    ),
    'docs/licences.md': outputOf('scripts/check-licences.mjs', '--page'),
  }
}
