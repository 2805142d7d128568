import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyVariables, type Manual, manualOf } from '../../src/admin/cli/manual.ts'
import { createProgram } from '../../src/admin/cli/program.ts'
import { cliVariables } from '../../src/platform/environment/cli-variables.ts'
import { keyAt, smartBalance } from './cli-chain.ts'
import { runHere } from './run-here.ts'

const root = join(import.meta.dirname, '../../../..')

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
const commands = (await createProgram()).commands.flatMap(all)
const documented = commands.flatMap((command): [string, Manual][] => {
  const manual = manualOf(command)
  return manual ? [[nameOf(command), manual]] : []
})

/** What a shell would make of a line: no quotes and no variables are in these. */
const wordsOf = (line: string) => (line.split(/ [>|#]/)[0] ?? '').trim().split(/\s+/)

/** Which command a line would run, without running it. */
async function parse(line: string): Promise<string> {
  const program = (await createProgram()).configureOutput({ writeErr: () => {}, writeOut: () => {} })
  let reached = ''
  for (const command of program.commands.flatMap(all)) {
    if (manualOf(command)) {
      command.action(() => {
        reached = nameOf(command)
      })
    }
  }
  await program.parseAsync(wordsOf(line), { from: 'user' })
  return reached
}

test('default: every command that does something says what it reads, and shows itself', () => {
  const silent = commands.filter((command) => command.commands.length === 0 && !manualOf(command))
  expect(silent.map(nameOf)).toEqual([])
  expect(documented.filter(([, { examples }]) => examples.length === 0)).toEqual([])
})

test.each(documented)('default: the examples of `lanyard %s` are understood', async (name, { examples }) => {
  for (const example of examples) expect(await parse(example)).toBe(name)
})

test('default: every variable that the command line reads is named by a command', () => {
  const named = new Set<string>(documented.flatMap(([, { environment }]) => Object.keys(environment)))
  const unnamed = Object.keys(cliVariables.shape).filter(
    (name) => !named.has(name) && !keyVariables.some((variable) => variable === name),
  )
  expect(unnamed).toEqual([])
})

describe('documents', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', '{apps,packages,examples}/*/README.md'], { cwd: root })
  const read = (document: string) => readFileSync(join(root, document), 'utf8').replaceAll('\\\n', ' ')

  test.each(documents)('behavior: every command line of lanyard in %s is understood', async (document) => {
    const blocks = [...read(document).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const lines = blocks
      .flatMap((block) => block.split('\n'))
      .flatMap((line) => /(?:^|pnpm )lanyard (\S.*)$/.exec(line)?.[1] ?? [])
    // An address that the reader is to fill in.
    for (const line of lines) await parse(line.replaceAll('0x…', `0x${'1'.repeat(40)}`))
  })

  test.each(documents)('behavior: every command of lanyard that %s names is there', (document) => {
    const names = new Set(commands.map(nameOf))
    const named = [...read(document).matchAll(/`(?:npx )?(?:pnpm )?lanyard ([a-z][^`]*)`/g)].map(
      ([, text = '']) => /^[a-z-]+(?: [a-z-]+)*/.exec(text)?.[0] ?? '',
    )
    // What follows the command may be its argument.
    const unknown = named.filter(
      (name) =>
        !name
          .split(' ')
          .some((_, index, words) => index < 2 && names.has(words.slice(0, index + 1).join(' '))),
    )
    expect(unknown).toEqual([])
  })
})

describe('what a person meets', () => {
  let directory: string
  let file: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-manual-'))
    file = join(directory, 'networks.json')
    const address = `0x${'1'.repeat(40)}`
    await writeFile(
      file,
      JSON.stringify({
        networks: [
          {
            chainId: 8453,
            name: 'Silence',
            local: true,
            // Nobody listens on the discard port; the path stands for a provider's key.
            rpcUrls: ['http://127.0.0.1:9/canary-rpc-key'],
            settlementToken: { address, symbol: 'USDC', decimals: 6 },
            smartBalance,
            nativePrice: { kind: 'fixed', price: '2500000000' },
          },
        ],
      }),
    )
  })
  afterAll(() => rm(directory, { recursive: true }))

  /** The first example, on files that are there, and made to send nothing. */
  const argumentsOf = ({ examples: [example = ''] }: Manual) =>
    wordsOf(example).map((word) => (word === 'users.ndjson' ? import.meta.filename : word))
  const withJson = (words: readonly string[]) => [...new Set([...words, '--json'])]
  const scriptable = documented.filter(([name]) => name !== 'export')

  test.each(documented)(
    'error: `lanyard %s` without an environment names what it needs',
    async (_, manual) => {
      const ended = await runHere({}, ...argumentsOf(manual).filter((word) => word !== '--json'))
      expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: '' })
      const needed = Object.keys(manual.environment).some((name) => ended.stderr.includes(name))
      expect(needed, ended.stderr).toBe(true)
    },
  )

  test.each(scriptable)('error: `lanyard %s --json` answers a wrong option in JSON', async (_, manual) => {
    const ended = await runHere({}, ...withJson(argumentsOf(manual)), '--no-such-option')
    expect(ended.code).toBe(2)
    expect(ended.json()).toEqual({
      error: { code: 'MISUSED', message: "unknown option '--no-such-option'" },
    })
    expect(ended.stderr).toContain('--help')
  })

  const onChain = scriptable.filter(
    ([name, { environment }]) =>
      'NETWORKS_FILE' in environment &&
      !('DATABASE_URL' in environment) &&
      !('POLICIES_FILE' in environment) &&
      name !== 'preflight',
  )
  test.concurrent.each(onChain)(
    'error: `lanyard %s` says in JSON that the network does not answer, and ends',
    async (_, manual) => {
      const env = { NETWORKS_FILE: file, DEPLOYER_PRIVATE_KEY: keyAt(3) }
      const ended = await runHere({ env }, ...withJson(argumentsOf(manual)))
      expect(ended, ended.stderr).toMatchObject({ code: 1 })
      expect(ended.json()).toEqual({
        error: { code: 'NETWORK_UNAVAILABLE', message: expect.stringContaining('Silence does not answer') },
      })
      expect(ended.stdout + ended.stderr).not.toContain('canary-rpc-key')
    },
  )

  test('error: a command that is none, and none at all', async () => {
    expect(await runHere({}, 'deplay', '--json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean deploy'),
    })
    expect(await runHere({})).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: lanyard') })
  })
})
