import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import type { Comparison } from '../report/result.ts'
import { timed } from '../report/statistics.ts'
import { type BareTree, createBareTree } from './bare-tree.ts'
import { openPerson, type Person } from './person.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** PUBLIC: the second account of every local network. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** What is started, and what a person does until the first payment is included. */
interface Case {
  readonly name: string
  /** Commands from an empty folder until nothing has to be loaded any more. */
  readonly install: string
  /** What then starts the page. */
  readonly start: string
  readonly ready: RegExp
  readonly url: string
  pay(person: Person): Promise<void>
}

const template = (name: string, title: string, port: number): Case => ({
  name: `create-lanyard, ${title}`,
  install: `npx --yes --package /tarballs/create-lanyard-0.1.0.tgz create-lanyard app --template ${name} --packages /tarballs && cd app && npm install --no-audit --no-fund`,
  start: 'cd app && npm run dev',
  ready: /31337[\s\S]*ready in/i,
  url: `http://localhost:${port}`,
  async pay({ page, press, fill }) {
    await press('Pay 0.01 ETH')
    await fill('Your name', 'newcomer')
    await press('Create')
    await press('Get test money')
    await page.getByText('1 ETH', { exact: true }).waitFor()
    await press('Pay 0.01 ETH')
    await page.getByText('Paid · 0.01 ETH').waitFor()
  },
})

const cases: readonly Case[] = [
  {
    name: '@lanyard/service and its wallet',
    install: `node -e 'fs.mkdirSync("app")' && cd app && npm init --yes && npm install --no-audit --no-fund /tarballs/lanyard-service-*.tgz`,
    start: 'cd app && node_modules/.bin/lanyard start',
    ready: /is ready/,
    url: 'http://localhost:3000',
    async pay({ page, press, fill }) {
      await fill('Username', 'newcomer')
      await page.getByText('Available', { exact: true }).waitFor()
      await press('Create with a passkey')
      await press('Get test money on Local 1')
      await page.getByText('100.00').first().waitFor()
      await press('Send')
      await fill('To', recipient)
      await fill('Amount', '0.01')
      await press('Review')
      await press('Sign with passkey')
      await page.getByRole('heading', { name: 'Done' }).waitFor()
    },
  },
  template('react', 'React', 5173),
  template('next', 'Next.js', 3001),
]

/** Bytes of all files below a folder, each hard link once. */
async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const seen = new Map<number, number>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const { ino, size } = await stat(join(entry.parentPath, entry.name))
    seen.set(ino, size)
  }
  return [...seen.values()].reduce((sum, size) => sum + size, 0)
}

async function measure(
  { name, install, start, ready, url, pay }: Case,
  tree: BareTree,
  progress: (line: string) => void,
): Promise<Comparison[]> {
  const home = join(tree.path, 'root')
  await rm(home, { recursive: true, force: true })
  await mkdir(home)
  const { ms: installing } = await timed(() => tree.run(install))
  const loaded = await bytesOf(join(home, '.npm/_cacache/content-v2'))
  const onDisk = await bytesOf(join(home, 'app'))
  progress(`${name}: installed in ${Math.round(installing)} ms`)
  await using person = await openPerson()
  const { ms: starting, value: running } = await timed(async () => {
    const program = await tree.start(start, ready)
    await person.page.goto(url)
    return program
  })
  await using _ = running
  const { ms: paying } = await timed(() => pay(person))
  const { presses, fields } = person.done()
  progress(`${name}: page after ${Math.round(starting)} ms, paid after ${Math.round(paying)} ms`)
  const seconds = (ms: number) => ms / 1000
  const row = (
    what: string,
    ours: number,
    unit: Comparison['unit'],
    goal?: Comparison['goal'],
  ): Comparison => ({
    what: `${name}: ${what}`,
    ours,
    unit,
    ...(goal && { goal }),
  })
  const goal = (value: number) => ({ of: 'ours', bound: 'at most', value }) as const
  return [
    row('from the command to the first page', seconds(installing + starting), 's', goal(60)),
    row('of which the installation', seconds(installing), 's'),
    row('from the first page to the first payment', seconds(paying), 's'),
    {
      ...row('presses', presses, 'presses', goal(3)),
      whenMissed: 'test money takes a press of its own, and the wallet asks for a review',
    },
    row('fields', fields, 'fields', goal(name.startsWith('@') ? 3 : 1)),
    row('loaded from the registry', loaded / 1e6, 'MB'),
    row('on disk', onDisk / 1e6, 'MB'),
  ]
}

/** From a folder tree with only Node.js 20 and npm to a first payment in Chromium. TARBALLS: a folder that has them already. */
export const firstPaymentBench: Bench = {
  name: 'first-payment',
  async run(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'lanyard-first-payment-'))
    await using cleanUp = new AsyncDisposableStack()
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
    const tree = cleanUp.use(await createBareTree())
    if (process.env.TARBALLS) await cp(process.env.TARBALLS, folder, { recursive: true })
    else {
      progress('packs the tarballs')
      await promisify(execFile)(process.execPath, ['packages/create-lanyard/scripts/tarballs.ts', folder], {
        cwd: root,
      })
    }
    await cp(folder, join(tree.path, 'tarballs'), { recursive: true })
    const tarballs = await bytesOf(folder)
    const comparisons: Comparison[] = []
    for (const one of cases) comparisons.push(...(await measure(one, tree, progress)))
    return {
      title: 'First payment',
      method: `From a folder tree that has Node.js, npm and a shell, and nothing else, to a first payment in Chromium. npm's cache is empty before each. Our packages are tarballs of ${(tarballs / 1e6).toFixed(1)} MB together, since they are not published; all others come from the registry that npm is configured with, so the network counts. The first page is there when the browser has loaded it. A person's program presses and types without a pause; the local network takes a second for a block.`,
      versions: { 'Node.js': tree.programs },
      comparisons,
    }
  },
}
