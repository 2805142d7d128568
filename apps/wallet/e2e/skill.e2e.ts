/** @module-tag long */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@lanyard/testing'
import { afterAll, expect } from 'vitest'
import { runInFolder, startInFolder } from './run-in-folder.ts'
import { describeOnStage } from './stage.ts'

/* An agent that has SKILL.md alone: it writes each file and runs each command, in order, and then pays in the page. */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const skill = await readFile(join(root, 'SKILL.md'), 'utf8')
const blocks = [...skill.matchAll(/<!-- (file|run): (\S+) -->\n```\w+\n([\s\S]*?)```/g)].map(
  ([, kind, name = '', text = '']) => ({ kind, name, text }),
)

/** What each command prints. */
const printed: Readonly<Record<string, RegExp>> = {
  create: /added \d+ packages/,
  build: /built in/,
  send: /^sent: 0x[0-9a-f]{64}$/m,
  sponsor: /^sponsored$/m,
  agent: /(the agent paid 0\.001 ETH\n){2}the agent was refused/,
  webhook: /genuine: true, changed: false/,
  deploy: /Wrote lanyard\.env and networks\.json/,
}

const made: AsyncDisposable[] = []
afterAll(async () => {
  for (const one of made.toReversed()) await one[Symbol.asyncDispose]()
})
let folder: string
let port: number
let banner = ''
const env: Record<string, string> = { LANYARD: root }
const remaining = blocks.values()

/** Writes files and runs commands, in their order, until the named ones have run. @returns what these printed */
async function advanceTo(wanted: string): Promise<string> {
  const app = join(folder, 'tip-jar')
  for (const { kind, name, text } of remaining) {
    if (kind === 'file') await writeFile(join(app, name), text)
    else if (name === 'dev') {
      const dev = startInFolder('bash', ['-euc', text.replace('dev', `dev -- --port ${port}`)], app, env)
      made.push(dev)
      banner = await dev.print(/31337[\s\S]*ready in/)
      env.LANYARD_URL = /Web wallet:\s+(http:\S+)/.exec(banner)?.[1] ?? ''
      if (name === wanted) return banner
    } else {
      const output = await runInFolder('bash', ['-euc', text], name === 'create' ? folder : app, env)
      if (name === wanted) return output
    }
  }
  throw new Error(`SKILL.md has no commands ${wanted}, or not in this place.`)
}

describeOnStage(
  'SKILL.md, read by an agent',
  ({ chapter }) => {
    for (const [name, pattern] of Object.entries(printed).slice(1))
      chapter(`${name}: its commands print what they should`, async () => {
        expect(await advanceTo(name)).toMatch(pattern)
      })

    chapter('the page that it wrote pays', async (page) => {
      await page.reload()
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByLabel('Your name').fill('agent')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('button', { name: 'Get test money' }).click()
      await page.getByText('1 ETH', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Pay 0.01 ETH' }).click()
      await page.getByText('Paid · 0.01 ETH').waitFor()
      await page.getByText('To 0x7099…79C8').waitFor()
    })
  },
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanyard-skill-'))
    made.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
    port = await freePorts(1)
    expect(await advanceTo('create')).toMatch(printed.create ?? /^$/)
    await advanceTo('dev')
    const [, rpcUrl = ''] = /31337\s.*?(http:\/\/\S+)/.exec(banner) ?? []
    return { url: `http://localhost:${port}`, rpcUrl, banner, [Symbol.asyncDispose]: async () => {} }
  },
)
