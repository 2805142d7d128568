/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@lanyard/testing'
import { afterAll, expect } from 'vitest'
import { describeOnStage } from './stage.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const tutorial = await readFile(join(root, 'docs/tutorial.md'), 'utf8')

const service = await freePorts(5)
const app = service + 1
/** Port of the first of three networks. */
const devnet = service + 2
/** The tutorial's text with ports that are free on this machine. */
const withPorts = (text: string) =>
  text.replaceAll('localhost:3000', `localhost:${service}`).replaceAll('5173', String(app))

/** The block of commands that follows `<!-- run: name -->`. */
function commandsOf(name: string): string {
  const block = new RegExp(`<!-- run: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(tutorial)?.[1]
  if (block === undefined) throw new Error(`docs/tutorial.md has no commands ${name}.`)
  return withPorts(block)
}

const files = [...tutorial.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g)].map(
  ([, path = '', text = '']) => ({ path, text: withPorts(text) }),
)

/** Runs commands as in a person's shell: without the settings of the package manager that runs this test. */
function startShell(commands: string, cwd: string) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_user_agent|lifecycle|package)|^(TEST|VITEST|NODE_ENV|LOG_LEVEL)/.test(name),
  )
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd,
    env: { ...Object.fromEntries(own), PORT: String(service), DEVNET_PORT: String(devnet) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(shell, 'exit')
  return {
    async succeed() {
      const [code] = await ended
      expect(code, output).toBe(0)
    },
    async print(pattern: RegExp) {
      while (!pattern.test(output)) {
        if (shell.exitCode !== null) throw new Error(`${commands} ended early:\n${output}`)
        await delay(50)
      }
    },
    async [Symbol.asyncDispose]() {
      if (shell.exitCode !== null || shell.signalCode !== null || shell.pid === undefined) return
      process.kill(-shell.pid, 'SIGTERM')
      await ended
    },
  }
}

const started: AsyncDisposable[] = []
let folder: string | undefined
afterAll(async () => {
  for (const one of started.toReversed()) await one[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

describeOnStage(
  'docs/tutorial.md, from an empty folder to a payment',
  ({ chapter }) => {
    chapter('creates the app with its commands and files', async () => {
      folder = await mkdtemp(join(tmpdir(), 'lanyard-tutorial-'))
      // Uses one shell, which starts in the clone and changes to the empty folder.
      const shell = startShell(`${commandsOf('pack')}cd '${folder}'\n${commandsOf('install')}`, root)
      await shell.succeed()
      expect(files.map(({ path }) => path)).toEqual(['index.html', 'src/style.css', 'src/main.tsx'])
      for (const { path, text } of files) {
        await mkdir(join(folder, dirname(path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
      const dev = startShell(commandsOf('start'), folder)
      started.push(dev)
      await dev.print(/ready in/)
    })

    chapter('creates an account, and pays', async (page) => {
      await page.goto(`http://localhost:${app}`)
      await page.getByLabel('Your name').fill('newcomer')
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.getByRole('button', { name: 'Get test money' }).click()
      await page.getByRole('heading', { name: '1.0000 ETH', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Tip 0.01 ETH' }).click()
      await page.getByRole('status').getByText('included').waitFor()
      await page.getByRole('heading', { name: /^0\.98\d\d ETH$/ }).waitFor()
    })
  },
  async () => {
    const running = startShell(commandsOf('service'), root)
    started.push(running)
    await running.print(/Lanyard is ready/)
    return {
      url: `http://localhost:${service}`,
      rpcUrl: `http://127.0.0.1:${devnet}`,
      banner: '',
      [Symbol.asyncDispose]: async () => {},
    }
  },
)
