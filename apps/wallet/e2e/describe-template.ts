import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@lanyard/testing'
import { afterAll, expect } from 'vitest'
import { runInFolder as run, startInFolder } from './run-in-folder.ts'
import { describeOnStage } from './stage.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Makes an app of a template from the tarballs of our packages, checks and builds it, and pays in its page. */
export function describeTemplate(template: 'react' | 'next', port: number): void {
  const made: AsyncDisposable[] = []
  afterAll(async () => {
    for (const one of made.toReversed()) await one[Symbol.asyncDispose]()
  })
  let app: string

  describeOnStage(
    `create-lanyard, template ${template}`,
    ({ chapter, look }) => {
      chapter('signs up, gets test money, pays, and shows the payment', async (page) => {
        // Signed out, the payment asks who pays.
        await page.getByRole('button', { name: 'Pay 0.01 ETH' }).click()
        await page.getByLabel('Your name').fill('newcomer')
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByRole('button', { name: 'Account of newcomer' }).waitFor()
        await page.getByText('Nothing yet.').waitFor()
        await page.getByRole('button', { name: 'Get test money' }).click()
        await page.getByText('1 ETH', { exact: true }).waitFor()
        await page.getByLabel('Amount in ETH').fill('2')
        await page.getByText('at most 1').waitFor()
        await page.getByLabel('Amount in ETH').fill('0,02')
        await page.getByRole('button', { name: 'Pay 0.02 ETH' }).click()
        await page.getByText('Paid · 0.02 ETH').waitFor()
        await page.getByText('To 0x7099…79C8').waitFor()
        await look(`template-${template}`)
        await page.getByRole('button', { name: 'Tip again' }).click()
        await page.getByRole('button', { name: 'Pay 0.02 ETH' }).waitFor()
      })

      chapter('knows the account after a reload', async (page) => {
        await page.reload()
        await page.getByRole('button', { name: 'Account of newcomer' }).waitFor()
        await page.getByText('To 0x7099…79C8').waitFor()
      })

      // Both builds check the types.
      chapter('has a build, and tests, of which one pays', async () => {
        await run('npm', ['run', 'build'], app)
        expect(await run('npm', ['test'], app)).toMatch(/3 passed/)
      })
    },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lanyard-template-'))
      made.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
      const tarballs = join(folder, 'tarballs')
      app = join(folder, 'tip-jar')
      await run(process.execPath, ['packages/create-lanyard/scripts/tarballs.ts', tarballs], root)
      await run(
        'npx',
        [
          ...['--yes', '--package', join(tarballs, 'create-lanyard-0.1.0.tgz'), 'create-lanyard', 'tip-jar'],
          ...['--template', template, '--packages', tarballs],
        ],
        folder,
      )
      await run('npm', ['install', '--no-audit', '--no-fund'], app)
      const free = await freePorts(1)
      const manifest = join(app, 'package.json')
      await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll(String(port), String(free)))
      const dev = startInFolder('npm', ['run', 'dev'], app)
      made.push(dev)
      const banner = await dev.print(/31337[\s\S]*(ready in|Ready in)/)
      const [, rpcUrl = ''] = /31337\s.*?(http:\/\/\S+)/.exec(banner) ?? []
      return { url: `http://localhost:${free}`, rpcUrl, banner, [Symbol.asyncDispose]: async () => {} }
    },
  )
}
