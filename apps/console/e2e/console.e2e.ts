/** @module-tag all */
/** @module-tag longer */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hasPrometheus, type Prometheus, startPrometheus } from '@lanyard/api/test/drill/prometheus.ts'
import { createLanyardClient, signBuild } from '@lanyard/client'
import { freePorts } from '@lanyard/testing'
import { findBarriers } from '@lanyard/wallet/e2e/accessibility.ts'
import { describeOnStage, type Stage } from '@lanyard/wallet/e2e/stage.ts'
import { startService } from '@lanyard/wallet/e2e/start-service.ts'
import { encodeFunctionData, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'

/** PUBLIC: anvil's second account. */
const owner = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

/** Where the service answers users. */
let api = ''

/** The program that operators run. */
const lanyard = fileURLToPath(import.meta.resolve('@lanyard/api/lanyard'))

/** A receiver of webhooks, and what it answers. */
let status: 200 | 410 | 500 = 500
const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(status).end(status === 200 ? 'thank you' : 'out of order')
})

let prometheus: Prometheus | undefined

/** A service as `npm start` runs it, with an endpoint of webhooks; its address is the invitation that it prints. */
async function startWithConsole() {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-console-'))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const env = { PATH: process.env.PATH, DATA_DIR: directory }
  await promisify(execFile)(
    process.execPath,
    [lanyard, 'webhooks', 'add', `http://127.0.0.1:${port}/hook`, '--key', 'server'],
    { env },
  )
  const ports = await freePorts(2)
  const reads = { METRICS_PORT: String(ports), CONSOLE_PROMETHEUS_URL: `http://127.0.0.1:${ports + 1}` }
  const service = await startService({
    ...(hasPrometheus && reads),
    DATA_DIR: directory,
    CONSOLE_PORT: '0',
    ROLES: 'api,worker,attestor,settler,topUp,admin',
  })
  api = service.url
  // One process has all roles.
  const metrics = `127.0.0.1:${ports}`
  const jobs = { 'lanyard-api': metrics, 'lanyard-worker': metrics, 'lanyard-console': metrics }
  if (hasPrometheus) prometheus = await startPrometheus(ports + 1, jobs, 10)
  const invitation = /http:\S+\/invitation#[\w-]+/.exec(service.banner)?.[0]
  if (invitation === undefined) throw new Error(`No invitation in:\n${service.banner}`)
  return {
    ...service,
    url: invitation,
    async [Symbol.asyncDispose]() {
      await prometheus?.[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      receiver.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** @returns the operation's hash and its account */
async function sendOperation() {
  const client = createLanyardClient({ baseUrl: api })
  const { wallet } = await client.smartAccount.create({ eoaAddress: owner.address })
  const walletAddress = wallet.scw_address
  const request = {
    ...{ network: '31338', walletAddress },
    transactionDetails: [
      { targetContractAddress: owner.address, value: '1000000000000000', encodedData: '0x' as const },
      {
        ...{ targetContractAddress: owner.address, value: '0' },
        encodedData: encodeFunctionData({
          abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
          args: [owner.address, false],
        }),
      },
    ],
  }
  await client.wallet.faucet({ network: '31338', walletAddress })
  const build = await client.smartAccount.build(request)
  const signature = await signBuild({ build, request, signer: owner })
  const { userOpHash } = await client.smartAccount.submit({ walletAddress, signature })
  return { userOpHash, walletAddress }
}

/** Moves the focus to the control with this text. */
async function pressTabUntil(page: ReturnType<Stage['page']>, text: string) {
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  for (let presses = 0; (await focused()) !== text; presses++) {
    expect(presses, `Tab does not reach ${text}`).toBeLessThan(5)
    await page.keyboard.press('Tab')
  }
}

describeOnStage(
  'the console',
  ({ chapter, look, go }) => {
    chapter('an invited operator creates a passkey and sees the overview', async (page) => {
      await page.getByText('You become').waitFor()
      await look('console-invitation')
      await page.getByRole('button', { name: 'Create your passkey' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('img', { name: /^Operations by minute/ }).waitFor()
      await page
        .getByRole('cell', { name: /^Local 1/ })
        .first()
        .waitFor()
    })

    chapter('an operation appears, and shows its life', async (page) => {
      const { userOpHash, walletAddress } = await sendOperation()
      await page.getByRole('img', { name: /1 included/ }).waitFor()
      await look('console-overview')
      await go('Operations')
      await page.getByLabel('Search', { exact: true }).fill(walletAddress)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.locator(`a[href="/operations/${userOpHash}"]`).waitFor()
      await look('console-operations')
      await page.locator(`a[href="/operations/${userOpHash}"]`).click()
      await page.getByText('Signed (ECDSA) and accepted.').waitFor()
      await page.getByText(/^Sent 0\.001 ETH to 0x/).waitFor()
      await page.getByText(/^Contract call to 0x/).waitFor()
      await page.getByText('setApprovalForAll').waitFor()
      await look('console-operation')
      await page.locator(`a[href="/accounts/${walletAddress}"]`).click()
      await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
      await page.getByRole('cell', { name: 'EOA' }).first().waitFor()
      await page.getByText('It has no session key.').waitFor()
      await look('console-account')
    })

    chapter('what happens appears without a reload', async (page) => {
      await go('Overview')
      await page.getByRole('img', { name: /1 included/ }).waitFor()
      await sendOperation()
      await page.getByRole('img', { name: /2 included/ }).waitFor()
    })

    chapter('what happens between two streams appears, too', async (page) => {
      // Each stream ends before it tells anything, as one does at its end or behind a proxy that closes it.
      await page.route('**/changes', (route) =>
        route.fulfill({ status: 200, contentType: 'text/event-stream', body: 'retry: 300\n\n' }),
      )
      await page.reload()
      await page.getByRole('img', { name: /2 included/ }).waitFor()
      await sendOperation()
      await page.getByRole('img', { name: /3 included/ }).waitFor({ timeout: 60_000 })
      await page.unroute('**/changes')
    })

    chapter('a policy is made by a form, tried while it is written, and put into force', async (page) => {
      await go('Policies')
      await page.getByRole('link', { name: 'Change policies' }).click()
      await page.getByRole('heading', { name: 'Dry run' }).waitFor()
      const force = page.getByRole('button', { name: 'Put into force…' })
      expect(await force.isDisabled()).toBe(true)
      await page.getByLabel('Id of a new policy').fill('all')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('This draft cannot be tried yet').waitFor()
      expect(await force.isDisabled()).toBe(true)
      const daily = page.getByLabel('All together, a day', { exact: true })
      await daily.fill('0,5')
      await page.getByText('An amount such as 0.05, with a point').waitFor()
      await daily.fill('0.5')
      await page.getByText('3 paid as now').waitFor()
      // Before the two policies of local networks.
      await page.getByRole('button', { name: 'Move it up' }).click()
      await page.getByRole('button', { name: 'Move it up' }).click()
      await page.getByText('3 paid otherwise').waitFor()
      await page.getByText('0.5 ETH', { exact: true }).waitFor()
      await look('console-policy')
      await page.getByRole('tab', { name: 'As a file' }).click()
      expect(await page.getByLabel('A file of policies').inputValue()).toContain(
        '"wei": "500000000000000000"',
      )
      await page.getByLabel('A file of policies').fill('{')
      await page.getByText('The draft is not valid JSON').waitFor()
      expect(await force.isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByRole('tab', { name: 'Form' }).click()
      // What refuses has no charge, and what pays again has the one from before.
      await page.getByLabel('Policy', { exact: true }).selectOption('local-tokens')
      await page.getByLabel('It', { exact: true }).selectOption('deny')
      await page.getByText('Token for the gas').waitFor()
      await page.getByLabel('It', { exact: true }).selectOption('allow')
      expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('USDC')
      await page.getByLabel('Markup, percent', { exact: true }).fill('2.5')
      await page.getByText('was 0', { exact: true }).waitFor()
      await page.getByText('1 member', { exact: true }).waitFor()
      expect(await page.getByText('This draft cannot be tried yet').count()).toBe(0)
      await page.getByLabel('Who is to pay').selectOption('Every account, in USDC')
      await page.getByText('3 in a token').waitFor()
      await look('console-policy-charge')
      await page.getByLabel('Who is to pay').selectOption('As each account asked')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByLabel('Id of a new policy').fill('all')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await daily.fill('0.5')
      await page.getByText('3 paid as now').waitFor()
      await force.click()
      const question = page.getByRole('dialog', { name: 'Put these policies into force?' })
      await question.getByText('0.5 ETH', { exact: true }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await question.getByRole('button', { name: 'Put them into force' }).click()
      await question.waitFor({ state: 'hidden' })
      await page.getByLabel('Policy', { exact: true }).selectOption('all')
      await daily.fill('0.25')
      await page.getByText('was 0.5 ETH').waitFor()
      await page.getByText('0.25 ETH', { exact: true }).waitFor()
      await look('console-policy-changed')
      await page.getByRole('link', { name: 'Policies', exact: true }).last().click()
      await page.getByText('local edited them here.').waitFor()
      await page.getByRole('heading', { name: 'all', exact: true }).waitFor()
      await look('console-policies')
      await page.getByRole('button', { name: 'Discard the edits' }).click()
      await page.getByRole('button', { name: 'Discard them' }).click()
      await page.getByText('local edited them here.').waitFor({ state: 'hidden' })
    })

    chapter('a webhook is tested, and what it missed is delivered again', async (page) => {
      await go('Webhooks')
      await page.locator('a[href^="/webhooks/whe_"]').click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('button', { name: 'Send it' }).click()
      await page.getByText('The last test was answered 500.').waitFor()
      status = 200
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('button', { name: 'Send it' }).click()
      await page.getByText('The last test was answered 200.').waitFor()
      await page
        .getByRole('button', { name: /^Repeat event/ })
        .last()
        .click()
      await page.getByRole('button', { name: 'Deliver again' }).click()
      await page.getByText('Delivered', { exact: true }).first().waitFor()
      await look('console-webhook')
    })

    chapter('what needs attention, and the alerts that fire', async (page) => {
      status = 410 // the receiver wants no more events
      await sendOperation()
      await go('Overview')
      await page.getByText('Webhooks are disabled').waitFor()
      if (prometheus) {
        const alerts = page.getByRole('list', { name: 'Alerts that fire' })
        await alerts.getByText('LanyardWebhookDisabled').waitFor()
        const link = await alerts.getByRole('link', { name: 'What to do' }).first().getAttribute('href')
        expect(link).toMatch(/#lanyardwebhookdisabled$/)
      }
      expect(await page.getByText('Nothing needs you').count()).toBe(0)
      await look('console-alerts')
    })

    chapter('a key is made, and revoked after a confirmation', async (page) => {
      await go('Keys')
      await page.getByLabel('Name', { exact: true }).fill('server')
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('Copy the key now').waitFor()
      await look('console-keys')
      await page.getByRole('button', { name: /^Revoke lk_secret_/ }).click()
      await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor({ state: 'hidden' })
      // With the keyboard alone: the focus is on the button again, and then within the question.
      await page
        .locator(':focus')
        .and(page.getByRole('button', { name: /^Revoke lk_secret_/ }))
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await pressTabUntil(page, 'Revoke the key')
      await page.keyboard.press('Enter')
      await page
        .getByText(/^Revoked/)
        .first()
        .waitFor()
    })

    chapter('the audit log has the acts, and the other screens open', async (page) => {
      await go('Audit log')
      const revoked = page.getByRole('button', { name: /revoked a key/ }).first()
      await revoked.click()
      await page.getByText(/^from .* act \d/).waitFor()
      await page.getByLabel('Act').selectOption('policies.edit')
      await page.waitForURL(/act=policies\.edit/)
      await page.getByRole('button', { name: /changed policies/ }).click()
      await page.getByText('0.5 ETH', { exact: true }).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export 1 as CSV' }).click()
      const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
      expect(lines).toHaveLength(2)
      await look('console-audit')
      await go('Accounts')
      await page.getByRole('heading', { name: 'Active last' }).waitFor()
      await look('console-accounts')
      await go('Webhooks')
      await page.locator('a[href^="/webhooks/whe_"]').waitFor()
      await look('console-webhooks')
      await go('Smart balance')
      await page.getByRole('heading', { name: 'Liquidity' }).waitFor()
      await look('console-balance')
      await go('Webhooks')
      await page.locator('a[href^="/webhooks/whe_"]').click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('button', { name: 'Remove it' }).click()
      await page.getByText('There is no endpoint yet.').waitFor()
      await go('Operators')
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
      await look('console-operators')
    })

    chapter('the operator signs out, and in again with the passkey', async (page) => {
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
      await look('console-sign-in')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    })
  },
  startWithConsole,
)
