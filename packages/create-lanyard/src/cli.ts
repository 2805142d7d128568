#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createApp, isTemplateName, requireNode, type TemplateName, templates } from './create-app.ts'
import { CreateError } from './create-error.ts'

const names = Object.keys(templates).join('|')

const help = `create-lanyard: makes an app with passkey accounts

  create-lanyard my-app --template ${names}

  --template NAME    ${Object.entries(templates)
    .map(([name, { title }]) => `${name}: ${title}`)
    .join('; ')}. Default: react
  --packages FOLDER  tarballs of @lanyard packages, for versions that no registry has
  --version, --help

In a terminal it asks for what is missing. It writes nothing into a folder that has something in it.
`

const options = {
  template: { type: 'string' },
  packages: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new CreateError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}

/**
 * What follows the folder. npm takes `--template next` for itself if no `--` stands before it, and hands over `next` alone, or the
 * variable.
 */
const templateOf = (flag: string | undefined, positional: string | undefined) => {
  const { npm_config_template: byNpm } = process.env
  return flag ?? positional ?? (byNpm === 'true' ? undefined : byNpm)
}

async function ask(folder: string | undefined, template: string | undefined) {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return { folder, template }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return {
      folder: folder ?? ((await terminal.question('Folder of the app (my-app): ')).trim() || 'my-app'),
      template: template ?? ((await terminal.question(`Template, ${names} (react): `)).trim() || 'react'),
    }
  } finally {
    terminal.close()
  }
}

function requireTemplate(name: string): TemplateName {
  if (isTemplateName(name)) return name
  throw new CreateError(`There is no template ${JSON.stringify(name)}. The templates are ${names}.`)
}

/** The program that runs this one: `npm`, `pnpm`, `yarn` or `bun`. */
const packageManager = () => (process.env.npm_config_user_agent ?? '').split('/')[0] || 'npm'

async function main(): Promise<void> {
  requireNode(process.versions.node)
  const { values, positionals } = readArguments()
  if (values.help) return void process.stdout.write(help)
  if (values.version) {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    return void process.stdout.write(`${version}\n`)
  }
  const [first, second, ...more] = positionals
  if (more.length > 0) throw new CreateError(`Unexpected: ${more.join(' ')}\n\n${help}`)
  const given = templateOf(values.template, second)
  if (given !== undefined) requireTemplate(given)
  const { folder, template = 'react' } = await ask(first, given)
  if (folder === undefined) throw new CreateError(`Name the folder of the app.\n\n${help}`)
  const chosen = requireTemplate(template)
  const { path } = await createApp({
    folder,
    template: chosen,
    ...(values.packages !== undefined && { packages: values.packages }),
  })
  const manager = packageManager()
  const place = relative('', path)
  process.stdout.write(`
${templates[chosen].title}, in ${path}. Next:

${place ? `  cd ${/^[\w./-]+$/.test(place) ? place : JSON.stringify(place)}\n` : ''}  ${manager} install
  ${manager} run dev    # http://localhost:${templates[chosen].port}, beside a local service with play money
  ${manager} test

`)
}

await main().catch((error) => {
  process.stderr.write(`${error instanceof CreateError ? error.message : error.stack}\n`)
  process.exitCode = 1
})
