/** @module-tag all */
/** @module-tag longer */
import { encodeStartRecovery, recoveryTypedData, toGuardianSet } from '@lanyard/accounts'
import { ownershipAddress } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import type { Page } from 'playwright-core'
import { type Address, createTestClient, createWalletClient, getAddress, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

/** Anvil's first account, unlocked on every local network: anyone can send a recovery. */
const anyone: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describeOnStage(
  'guardians in a browser',
  ({ service, browser, page, chapter, look, go }) => {
    const guardians = [1, 2, 3].map(() => privateKeyToAccount(randomPrivateKey()))
    const thief = privateKeyToAccount(randomPrivateKey())
    const sign = (on: Page) => on.getByRole('button', { name: 'Sign with passkey' }).click()

    const findAccount = async (name: string): Promise<Address> => {
      const { result } = await (await fetch(`${service().url}/api/user/search?query=${name}`)).json()
      return getAddress(result[0].wallet_address)
    }

    /** Two of the guardians sign for the thief, who starts the recovery on the first network. */
    async function startAsThief(account: Address) {
      const status = await (
        await fetch(`${service().url}/smart-account/ownership?walletAddress=${account}`)
      ).json()
      const sequence = BigInt(status.networks[0].sequence)
      const context = { module: ownershipAddress, account, sequence, number: 1n }
      const newOwners = [{ kind: 'eoa', address: thief.address }] as const
      const set = toGuardianSet({
        members: guardians.map(({ address }) => address),
        threshold: 2,
        delay: 3 * 86_400,
      })
      const signatures = await Promise.all(
        guardians.slice(0, 2).map(async (guardian) => ({
          guardian: guardian.address,
          signature: await guardian.signTypedData(recoveryTypedData(newOwners, context)),
        })),
      )
      const { to, data } = encodeStartRecovery(newOwners, set, signatures, context)
      const transport = http(service().rpcUrl)
      const chain = createTestClient({ mode: 'anvil', transport }).extend(publicActions)
      const hash = await createWalletClient({ account: anyone, transport }).sendTransaction({
        chain: null,
        to,
        data,
      })
      expect(await chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    }

    /** A wallet of the browser (EIP-6963) that holds the key of one guardian. */
    let holder = guardians[0]
    const answerAsWallet = async (method: string, params: readonly string[]) => {
      if (method === 'eth_requestAccounts') return [holder?.address]
      expect(method).toBe('eth_signTypedData_v4')
      // The wallet signs what it is shown, as a person with MetaMask would.
      return holder?.signTypedData(JSON.parse(params[1] ?? ''))
    }
    function announceWallet(): void {
      const request = ({ method, params = [] }: { method: string; params?: unknown[] }) =>
        Reflect.get(globalThis, 'answerAsWallet')(method, params)
      const announce = () =>
        dispatchEvent(
          new CustomEvent('eip6963:announceProvider', {
            detail: { info: { uuid: 'test-wallet', name: 'Test Wallet' }, provider: { request } },
          }),
        )
      addEventListener('eip6963:requestProvider', announce)
    }

    chapter('turns guardians on, once on each network', async (page) => {
      await page.getByLabel('Username', { exact: true }).fill('greta')
      await page.getByText('Available', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Create with a passkey' }).click()
      await page.getByRole('heading', { name: /^You have/ }).waitFor()
      await go('Protection')
      await page.getByText(/^They protect against loss, not against theft/).waitFor()
      await look('guardians-off')
      await page.getByRole('button', { name: 'Start with Local 1' }).click()
      for (const name of ['Local 1', 'Local 2', 'Local 3']) {
        await page
          .getByRole('listitem')
          .filter({ hasText: name })
          .getByText('Waiting for your signature')
          .waitFor()
        if (name === 'Local 1') await look('guardians-enable')
        await sign(page)
      }
      await page.getByRole('heading', { name: 'Protect your account' }).waitFor()
    })

    chapter('names guardians with one signature for all networks', async (page) => {
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('Add at least one guardian.').waitFor()
      await page.getByLabel('Guardian', { exact: true }).fill('greta')
      await page.getByRole('button', { name: 'Add guardian' }).click()
      await page.getByText('Your own account cannot recover itself.').waitFor()
      for (const { address } of guardians.slice(0, 2)) {
        await page.getByLabel('Guardian', { exact: true }).fill(address)
        await page.getByRole('button', { name: 'Add guardian' }).click()
        await page.getByText('Nothing shows that this address can sign.').waitFor()
        if (address === guardians[0]?.address) await look('guardian-doubtful')
        await page.getByRole('button', { name: 'Add it anyway' }).click()
        await page.getByRole('list', { name: 'Chosen guardians' }).getByText(address).waitFor()
      }
      // The third answers a link. Its wallet is in this browser, too.
      await page.getByText('Invite by link').click()
      const invitation = (await page.locator('code').textContent()) ?? ''
      await page.exposeFunction('answerAsWallet', answerAsWallet)
      await page.addInitScript(announceWallet)
      holder = guardians[2]
      await page.goto(invitation)
      await page.getByText('Someone who says they are greta trusts you with their account').waitFor()
      await look('guardian-invitation')
      await page.getByRole('button', { name: 'Answer with Test Wallet' }).click()
      await page.getByText('Send this link back').waitFor()
      await page.goto((await page.locator('code').textContent()) ?? '')
      await page.getByText('Your invitation has an answer.').waitFor()
      await look('guardian-answer')
      await page.getByRole('button', { name: 'Add this guardian' }).click()
      await page
        .getByRole('list', { name: 'Chosen guardians' })
        .getByText(guardians[2]?.address ?? '')
        .waitFor()
      await page.getByText('Your passkey signs once, for all networks: 2 of these 3, after 3 days.').waitFor()
      await look('guardians-choose')
      await sign(page)
      await page.getByRole('heading', { name: 'Your new guardians' }).waitFor()
      await look('guardians-progress')
      await page.getByText('2 of 3 together can recover your account, after 3 days.').waitFor()
      await page.getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
      await expect.poll(() => page.getByRole('heading', { name: 'Your new guardians' }).count()).toBe(0)
      await page.getByText(/^In force on Local 1, Local 2, and Local 3\. Since /).waitFor()
      await look('guardians')
    })

    chapter('shows a recovery that a thief starts on every screen, and cancels it', async (page) => {
      await go('Home')
      await startAsThief(await findAccount('greta'))
      await page.getByText('Your account is being recovered.').waitFor()
      await look('recovery-banner')
      await go('Activity')
      await page.getByText('Your account is being recovered.').waitFor()
      await page.getByRole('button', { name: 'Cancel the recovery' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('You sign once: the recovery ends on every network').waitFor()
      await look('recovery-cancel')
      await page.getByRole('button', { name: 'Sign and cancel it' }).click()
      await page.getByText('You cancelled the recovery.').waitFor()
      await expect.poll(() => page.getByText('Your account is being recovered.').count()).toBe(0)
      await go('Protection')
      await page.getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
      expect(page.url()).toContain('/protection')
    })

    let link = ''
    let words = ''
    const spoken = async () =>
      (await page().getByRole('list', { name: 'The six words' }).getByRole('listitem').allInnerTexts()).join(
        ' ',
      )

    chapter('begins a recovery on a new device, with nothing but the username', async (page) => {
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      await browser().authenticator.useDevice('new phone')
      await page.goto(service().url)
      await page.getByRole('tab', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'Lost your passkey?' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('Enter your username first.').waitFor()
      await page.getByLabel('Username', { exact: true }).fill('nobody-at-all')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('alert').waitFor()
      await look('recover-nobody')
      await page.getByLabel('Username', { exact: true }).fill('greta')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('2 of 3 guardians must sign. After that, an owner has 3 days to cancel.').waitFor()
      await look('recover-begin')
      await page.getByRole('button', { name: 'Create a new passkey' }).click()
      await page.getByText('No guardian has signed yet.').waitFor()
      link = (await page.locator('code').textContent()) ?? ''
      words = await spoken()
      expect(words.match(/[a-z]+/g)).toHaveLength(6)
      await look('recover-ask')
    })

    chapter('shows a guardian who asks for what, and how to check it', async (page) => {
      await page.goto(`${service().url}/guardian#account=0x12`)
      await page.getByText('This link cannot be used.').waitFor()
      await page.goto(link)
      await page.getByText('Someone who says they are greta asks for your signature').waitFor()
      expect(await spoken()).toBe(words)
      const sign = page.getByRole('button', { name: 'Sign with Test Wallet' })
      expect(await sign.isDisabled()).toBe(true)
      await look('guardian-request')
      await page.getByLabel('I spoke to them, and the six words are the same.').check()
      holder = thief
      await sign.click()
      await page.getByText('This wallet’s account is no guardian.').waitFor()
      holder = guardians[0]
      await sign.click()
      await page.getByText('You signed.').waitFor()
      await page.getByText('1 of 2 signed').first().waitFor()
      await look('guardian-signed')
    })

    chapter('runs once enough have signed, and says until when', async (page) => {
      holder = guardians[2]
      await page.reload()
      await page.getByLabel('I spoke to them, and the six words are the same.').check()
      await page.getByRole('button', { name: 'Sign with Test Wallet' }).click()
      await page.getByText('You signed.').waitFor()
      await page.goto(`${service().url}/recover`)
      await expect.poll(() => page.getByText(/^Finishes on /).count()).toBe(3)
      await look('recover-running')
    })

    chapter('gives the account to the new passkey on three networks', async (page) => {
      const first = Number(new URL(service().rpcUrl).port)
      for (const port of [first, first + 1, first + 2]) {
        const chain = createTestClient({ mode: 'anvil', transport: http(`http://127.0.0.1:${port}`) })
        await chain.increaseTime({ seconds: 3 * 86_400 })
        await chain.mine({ blocks: 1 })
      }
      // The service looks by its own clock, which did not move: it finishes at once if it is just looking, or when it is told to.
      const done = page.getByText('Your account is yours again.')
      const finish = page.getByRole('button', { name: 'Finish it now' })
      const pressed = finish.click().catch(() => {}) // the button goes away if the service was first
      await done.waitFor()
      await Promise.race([pressed, finish.waitFor({ state: 'detached' })])
      await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(3)
      await look('recover-done')
      await page.getByRole('button', { name: 'Sign in with the new passkey' }).click()
      await page.getByRole('heading', { name: /^You have/ }).waitFor()
      await go('Protection')
      await page.getByRole('heading', { name: 'Owners now' }).waitFor()
      await expect
        .poll(() => page.getByRole('region', { name: 'Owners now' }).getByRole('listitem').count())
        .toBe(1)
      await look('recovered-owners')
    })
  },
  startService,
) // its chains go three days ahead
