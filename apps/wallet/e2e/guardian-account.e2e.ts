/** @module-tag all */
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, http } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'

/* The guardian is a friend's account of the same service: a contract, which signs once for each network (ERC-1271). */

describeOnStage(
  "a friend's account as guardian",
  ({ service, browser, page, chapter, look, go }) => {
    const forget = () =>
      page().evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })

    async function create(username: string) {
      await page().getByLabel('Username', { exact: true }).fill(username)
      await page().getByText('Available', { exact: true }).waitFor()
      await page().getByRole('button', { name: 'Create with a passkey' }).click()
      await page().getByRole('heading', { name: 'Home' }).waitFor()
    }

    /** Names the only guardian, by a username or an address. */
    async function protectWith(guardian: string) {
      await go('Owners')
      await page().getByRole('link', { name: 'Protect your account' }).click()
      await page().getByLabel('Guardian', { exact: true }).fill(guardian)
      await page().getByRole('button', { name: 'Add guardian' }).click()
      await page().getByRole('list', { name: 'Chosen guardians' }).getByText(guardian).waitFor()
      await page().getByRole('button', { name: 'Sign with passkey' }).click()
      await page().getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
    }

    chapter('the friend has an account on three networks', async () => {
      await create('fritz')
      await protectWith(privateKeyToAddress(randomPrivateKey()))
    })

    chapter('an owner names the friend by username', async (page) => {
      await browser().authenticator.useDevice('phone of paula')
      await forget()
      await page.goto(service().url)
      await create('paula')
      await protectWith('fritz')
    })

    let link = ''

    chapter('the owner loses the phone, and asks from a new one', async (page) => {
      await browser().authenticator.useDevice('new phone of paula')
      await forget()
      await page.goto(service().url)
      await page.getByRole('tab', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'Lost your passkey?' }).click()
      await page.getByLabel('Username', { exact: true }).fill('paula')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Create a new passkey' }).click()
      await page.getByText('No guardian has signed yet.').waitFor()
      link = (await page.locator('code').textContent()) ?? ''
    })

    chapter('the friend signs in the wallet, once for each network', async (page) => {
      await browser().authenticator.useDevice('first')
      await page.goto(link)
      await page.getByRole('button', { name: 'Sign in with your own account' }).click()
      await page.getByText('Your passkey asks once for each network').waitFor()
      await page.getByLabel('I spoke to them, and the six words are the same.').check()
      await look('guardian-account')
      const signed: unknown[] = []
      page.on('request', (request) => {
        if (request.url().includes('/trpc/recovery.sign')) signed.push(request.postDataJSON().network)
      })
      await page.getByRole('button', { name: 'Sign as fritz' }).click()
      await page.getByText('You signed.').waitFor()
      expect(signed).toEqual(['31337', '31338', '31339'])
    })

    chapter('the account belongs to the new passkey on three networks', async (page) => {
      await browser().authenticator.useDevice('new phone of paula')
      // The friend's session belongs to the tab. What paula began belongs to the browser.
      await page.evaluate(() => sessionStorage.clear())
      await page.goto(`${service().url}/recover`)
      await expect.poll(() => page.getByText(/^Ends on /).count()).toBe(3)
      const first = Number(new URL(service().rpcUrl).port)
      for (const port of [first, first + 1, first + 2]) {
        const chain = createTestClient({ mode: 'anvil', transport: http(`http://127.0.0.1:${port}`) })
        await chain.increaseTime({ seconds: 3 * 86_400 })
        await chain.mine({ blocks: 1 })
      }
      // The service finishes at once if it is just looking, or when it is told to.
      const finish = page.getByRole('button', { name: 'Finish it now' })
      const pressed = finish.click().catch(() => {})
      await page.getByText('Your account is yours again.').waitFor()
      await Promise.race([pressed, finish.waitFor({ state: 'detached' })])
      await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(3)
      await page.getByRole('button', { name: 'Sign in with the new passkey' }).click()
      await page.getByRole('heading', { name: 'Home' }).waitFor()
    })

    chapter('the lost passkey no longer signs in', async (page) => {
      await browser().authenticator.useDevice('phone of paula')
      await forget()
      await page.goto(service().url)
      await withoutAutofill(page, () => page.getByRole('tab', { name: 'Sign in' }).click())
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('alert').first().waitFor()
      await look('lost-passkey')
      expect(await page.getByRole('heading', { name: 'Home' }).count()).toBe(0)
    })
  },
  () => startService({ ACCOUNT_MODULES: 'ownership' }),
)
