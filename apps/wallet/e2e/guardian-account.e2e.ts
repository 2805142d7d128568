/** @module-tag all */
/** @module-tag longer */
import { createTestClient, http } from 'viem'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'

/*
 * The guardian is a friend with an account of the same service, which exists on no network: their passkey signs once for all, and
 * the start of the recovery creates its signer contract.
 */

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
      await page()
        .getByRole('heading', { name: /^You have/ })
        .waitFor()
    }

    chapter('the friend has an account that exists on no network', async () => {
      await create('fritz')
    })

    chapter('an owner names the friend by username, as the only guardian after a warning', async (page) => {
      await browser().authenticator.useDevice('phone of paula')
      await forget()
      await page.goto(service().url)
      await create('paula')
      await go('Protection')
      await page.getByLabel('Guardian', { exact: true }).fill('fritz')
      await page.getByRole('option', { name: /fritz/ }).click()
      await page.getByRole('button', { name: 'Add guardian' }).click()
      await page.getByRole('list', { name: 'Chosen guardians' }).getByText('fritz', { exact: true }).waitFor()
      await page.getByText('This person alone could take your account.').waitFor()
      await look('guardian-alone')
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('Confirm this, or choose more guardians.').waitFor()
      await page.getByLabel('I want one guardian to be enough.').check()
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
      await page.getByText('Each of them alone can make a new passkey the owner.').waitFor()
      // Computed anew once the guardian is in force.
      await page.getByText('You get everything back in about 3 days.').waitFor()
      expect(await page.getByText('Ready', { exact: true }).count()).toBe(3)
      await page.getByText('Can sign on every network').waitFor()
      await look('guardian-covered')
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

    chapter('the friend signs once, for three networks that do not have their account', async (page) => {
      await browser().authenticator.useDevice('first')
      await page.goto(link)
      await page.getByRole('button', { name: 'Sign in with your own account' }).click()
      await page.getByText('Your passkey signs once, for all networks.').waitFor()
      await page.getByLabel('I spoke to them, and the six words are the same.').check()
      await look('guardian-account')
      const signed: unknown[] = []
      page.on('request', (request) => {
        if (request.url().includes('/trpc/recovery.sign')) signed.push(request.postDataJSON().network)
      })
      await page.getByRole('button', { name: 'Sign as fritz' }).click()
      await page.getByText('You signed.').waitFor()
      await page.getByText('Your signature counts on every network.').waitFor()
      expect(signed).toEqual([undefined])
    })

    chapter('the friend practises, and the owner learns that it works', async (page) => {
      const { result } = await (await fetch(`${service().url}/api/user/search?query=paula`)).json()
      const account = result[0].wallet_address
      await page.goto(`${service().url}/become-guardian#account=${account}&name=paula`)
      await look('guardian-practice')
      await page.getByRole('button', { name: 'Practise as fritz' }).click()
      await page.getByText('It works: you can sign for this account.').waitFor()
      const { guardians } = await (
        await fetch(`${service().url}/smart-account/guardians?account=${account}`)
      ).json()
      expect(guardians).toMatchObject([{ username: 'fritz', kind: 'passkey', provenAt: expect.any(Number) }])
    })

    chapter('the account belongs to the new passkey on three networks', async (page) => {
      await browser().authenticator.useDevice('new phone of paula')
      // The friend's session belongs to the tab. What paula began belongs to the browser.
      await page.evaluate(() => sessionStorage.clear())
      await page.goto(`${service().url}/recover`)
      await expect.poll(() => page.getByText(/^Finishes on /).count()).toBe(3)
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
      await page.getByRole('heading', { name: /^You have/ }).waitFor()
    })

    chapter('the lost passkey no longer signs in', async (page) => {
      await browser().authenticator.useDevice('phone of paula')
      await forget()
      await page.goto(service().url)
      await withoutAutofill(page, () => page.getByRole('tab', { name: 'Sign in' }).click())
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('alert').first().waitFor()
      await look('lost-passkey')
      expect(await page.getByRole('heading', { name: /^You have/ }).count()).toBe(0)
    })
  },
  () => startService({ ACCOUNT_MODULES: 'ownership' }),
)
