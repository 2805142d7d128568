import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cliPage } from '../../scripts/cli-page.ts'
import { keyVariables, type Manual, manualOf } from '../../src/admin/cli/manual.ts'
import { createProgram } from '../../src/admin/cli/program.ts'
import { cliVariables } from '../../src/platform/environment/cli-variables.ts'
import { keyAt, smartBalance } from './cli-chain.ts'
import { runInProcess } from './run-in-process.ts'

const root = join(import.meta.dirname, '../../../..')
const page = await cliPage()

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
const commands = (await createProgram()).commands.flatMap(all)
const documented = commands.flatMap((command): [string, Manual][] => {
  const manual = manualOf(command)
  return manual ? [[nameOf(command), manual]] : []
})

/** Splits a line into words as a shell does. The lines contain no quotes or variables. */
const wordsOf = (line: string) => (line.split(/ [>|#]/)[0] ?? '').trim().split(/\s+/)

/** Returns the command that a line would run, without running it. */
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

test('default: every runnable command documents its environment and has an example', () => {
  const undocumented = commands.filter((command) => command.commands.length === 0 && !manualOf(command))
  expect(undocumented.map(nameOf)).toEqual([])
  expect(documented.filter(([, { examples }]) => examples.length === 0)).toEqual([])
})

test.each(documented)(
  'default: the parser accepts the examples of `lanyard %s`',
  async (name, { examples }) => {
    for (const example of examples) expect(await parse(example)).toBe(name)
  },
)

test('default: a command documents every variable that the command line reads', () => {
  const mentioned = new Set<string>(documented.flatMap(([, { environment }]) => Object.keys(environment)))
  const unnamed = Object.keys(cliVariables.shape).filter(
    (name) => !mentioned.has(name) && !keyVariables.some((variable) => variable === name),
  )
  expect(unnamed).toEqual([])
})

describe('documents', () => {
  const documents = [
    ...globSync(['*.md', 'docs/**/*.md', '{apps,packages,examples}/*/README.md'], { cwd: root }),
    '/docs/cli',
  ]
  const read = (document: string) =>
    (document === '/docs/cli' ? page : readFileSync(join(root, document), 'utf8')).replaceAll('\\\n', ' ')

  test.each(documents)('behavior: the parser accepts every lanyard command line in %s', async (document) => {
    const blocks = [...read(document).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const lines = blocks
      .flatMap((block) => block.split('\n'))
      .flatMap((line) => /(?:^|pnpm )lanyard (\S.*)$/.exec(line)?.[1] ?? [])
    // `0x…` is an address that the reader fills in.
    for (const line of lines) await parse(line.replaceAll('0x…', `0x${'1'.repeat(40)}`))
  })

  test.each(documents)('behavior: every lanyard command that %s names exists', (document) => {
    const names = new Set(commands.map(nameOf))
    const mentioned = [...read(document).matchAll(/`(?:npx )?(?:pnpm )?lanyard ([a-z][^`]*)`/g)].map(
      ([, text = '']) => /^[a-z-]+(?: [a-z-]+)*/.exec(text)?.[0] ?? '',
    )
    // The words after a command may be its arguments.
    const unknown = mentioned.filter(
      (name) =>
        !name
          .split(' ')
          .some((_, index, words) => index < 2 && names.has(words.slice(0, index + 1).join(' '))),
    )
    expect(unknown).toEqual([])
  })
})

describe('errors that an operator sees', () => {
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
            // Nothing listens on the discard port. The path stands for a provider's key.
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

  /** The arguments of the first example. */
  const argumentsOf = ({ examples: [example = ''] }: Manual) => wordsOf(example)
  const withJson = (words: readonly string[]) => [...new Set([...words, '--json'])]
  // Neither ends with one document: one runs on, the others write what they export.
  const scriptable = documented.filter(([name]) => !/start$|export$/.test(name))

  test.each(
    documented.filter(([, { environment }]) =>
      Object.values(environment).some((use) => use.includes('needed')),
    ),
  )('error: `lanyard %s` without an environment names the variables that it needs', async (_, manual) => {
    const ended = await runInProcess({}, ...argumentsOf(manual).filter((word) => word !== '--json'))
    expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: '' })
    const needed = Object.keys(manual.environment).some((name) => ended.stderr.includes(name))
    expect(needed, ended.stderr).toBe(true)
  })

  test.each(scriptable)('error: `lanyard %s --json` reports an unknown option in JSON', async (_, manual) => {
    const ended = await runInProcess({}, ...withJson(argumentsOf(manual)), '--no-such-option')
    expect(ended.code).toBe(2)
    expect(ended.json()).toEqual({
      error: { code: 'MISUSED', message: "unknown option '--no-such-option'" },
    })
    expect(ended.stderr).toContain('--help')
  })

  const onChain = scriptable.filter(
    ([name, { environment }]) =>
      'NETWORKS_FILE' in environment &&
      !('DATA_DIR' in environment) &&
      !('POLICIES_FILE' in environment) &&
      name !== 'preflight',
  )
  test.concurrent.each(onChain)(
    'error: `lanyard %s` reports in JSON that the network does not answer, and exits',
    async (_, manual) => {
      const env = { NETWORKS_FILE: file, DEPLOYER_PRIVATE_KEY: keyAt(3) }
      const ended = await runInProcess({ env }, ...withJson(argumentsOf(manual)))
      expect(ended, ended.stderr).toMatchObject({ code: 1 })
      expect(ended.json()).toEqual({
        error: { code: 'NETWORK_UNAVAILABLE', message: expect.stringContaining('Silence does not answer') },
      })
      expect(ended.stdout + ended.stderr).not.toContain('canary-rpc-key')
    },
  )

  test('error: an unknown command and no command', async () => {
    expect(await runInProcess({}, 'deplay', '--json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean deploy'),
    })
    expect(await runInProcess({})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: lanyard'),
    })
  })
})
