/**
 * Turns the files of `.changeset` into the next version of everything, and into lines of CHANGELOG.md: `pnpm changes`.
 * Before the first release the version stays, and the lines join its page.
 *
 * A changeset for which a package is `patch` is listed under Fixed, otherwise under Added and changed, and one whose text begins with
 * `Security:` under Security.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bin, root, run } from './pack-packages.mjs'

const sections = ['Security', 'Added and changed', 'Fixed']

/** The section and the text of a changeset. */
export function readChangeset(text) {
  const [, header = '', body = ''] = /^---\n([\s\S]*?)^---\n([\s\S]*)$/m.exec(text) ?? []
  const isFix = !/: (minor|major)$/m.test(header)
  const summary = body.trim().replaceAll(/\s*\n\s*/g, ' ')
  if (/^Security: /.test(summary)) return { section: 'Security', line: summary.replace('Security: ', '') }
  return { section: isFix ? 'Fixed' : 'Added and changed', line: summary }
}

/** Adds changes to the part of a version, which is made above the others if it is missing. */
export function addChanges(changelog, version, changes) {
  const heading = `\n## ${version}\n`
  const known = changelog.includes(heading)
    ? changelog
    : changelog.replace(/\n## |$/, (next) => `${heading}${next}`)
  const start = known.indexOf(heading) + heading.length
  const end = known.slice(start).search(/^## /m)
  const part = end === -1 ? known.slice(start) : known.slice(start, start + end)
  const added = sections.reduce((text, section) => {
    const lines = changes.filter((change) => change.section === section).map(({ line }) => `- ${line}\n`)
    if (lines.length === 0) return text
    const title = `### ${section}\n\n`
    return text.includes(title)
      ? text.replace(title, () => `${title}${lines.join('')}`)
      : `${text.trimEnd()}\n\n${title}${lines.join('')}`
  }, part)
  return `${known.slice(0, start)}\n${added.trim()}\n\n${end === -1 ? '' : known.slice(start + end)}`
    .trimEnd()
    .concat('\n')
}

async function main() {
  const folder = join(root, '.changeset')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md') && file !== 'README.md').sort()
  if (files.length === 0) return console.log('No change waits for a version.')
  const changes = await Promise.all(
    files.map(async (file) => readChangeset(await readFile(join(folder, file), 'utf8'))),
  )
  const { published } = JSON.parse(await readFile(join(root, 'release.json'), 'utf8'))
  if (published) await run(bin('changeset'), ['version'])
  else for (const file of files) await rm(join(folder, file))
  const { version } = JSON.parse(await readFile(join(root, 'packages/client/package.json'), 'utf8'))
  const path = join(root, 'CHANGELOG.md')
  await writeFile(path, addChanges(await readFile(path, 'utf8'), version, changes))
  console.log(`${changes.length} changes are in CHANGELOG.md under ${version}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
