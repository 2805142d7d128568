/** @module-tag all */
/** @module-tag longer */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

/*
 * Three people with one browser each. Fritz is a guardian whose account exists on no network and never paid. Paula loses her only
 * phone; both guardians must sign for her. For Petra one guardian is enough, and Fritz is deceived: Frida corrects it.
 */

const networks = ['Local 1', 'Local 2', 'Local 3']
const days = 86_400

/** Anvil's second account, an arbitrary recipient. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describeOnStage(
  'the only phone is lost',
  ({ service, page, chapter, look, go, as, register, wait }) => {
    async function send(network: string): Promise<void> {
      await go('Home') // the last result stays on the screen otherwise
      await go('Send')
      await page().getByLabel('Network', { exact: true }).selectOption({ label: network })
      await page().getByLabel('To', { exact: true }).fill(recipient)
      await page().getByLabel('Amount', { exact: true }).fill('0.01')
      await page().getByRole('button', { name: 'Review' }).click()
      await page().getByRole('button', { name: 'Sign with passkey' }).click()
      await page().getByText(`Sent 0.01 ETH to 0x7099…79C8 on ${network}.`).waitFor()
    }

    async function fund(names: readonly string[]): Promise<void> {
      for (const name of names) {
        await page()
          .getByRole('button', { name: `Get test money on ${name}` })
          .click()
        await page().getByText(`Test money arrived on ${name}.`).waitFor({ state: 'attached' })
      }
    }

    async function nameGuardians(threshold: 1 | 2): Promise<void> {
      await go('Protection')
      for (const name of ['fritz', 'frida']) {
        await page().getByLabel('Guardian', { exact: true }).fill(name)
        await page().getByRole('option', { name }).first().click() // a list that stays open covers the button
        await page().getByRole('button', { name: 'Add guardian' }).click()
        await page()
          .getByRole('list', { name: 'Chosen guardians' })
          .getByText(name, { exact: true })
          .waitFor()
      }
      if (threshold === 1) {
        await page().getByLabel('How many must agree').selectOption('1')
        await page().getByLabel('I want one guardian to be enough.').check()
      }
      await page().getByRole('button', { name: 'Sign with passkey' }).click()
      await page().getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
    }

    /** Asks for an account on a new device. Returns the link for the guardians, and the six words. */
    async function begin(username: string): Promise<{ link: string; words: string }> {
      await page().goto(`${service().url}/recover`)
      await page().getByLabel('Username', { exact: true }).fill(username)
      await page().getByRole('button', { name: 'Continue' }).click()
      await page().getByRole('button', { name: 'Create a new passkey' }).click()
      await page().getByText('Send each of them this link.').waitFor()
      return { link: (await page().locator('code').textContent()) ?? '', words: await spoken() }
    }

    const spoken = async () => {
      const list = page().getByRole('list', { name: 'The six words' }).getByRole('listitem')
      await list.last().waitFor()
      return (await list.allInnerTexts()).join(' ')
    }

    /** A guardian signs in at the link, compares the words, and signs. */
    async function sign(guardian: string, link: string): Promise<void> {
      await page().goto(link)
      const signIn = page().getByRole('button', { name: 'Sign in with your own account' })
      const signButton = page().getByRole('button', { name: `Sign as ${guardian}` })
      await signIn.or(signButton).first().waitFor()
      if (await signIn.isVisible()) await signIn.click()
      await page().getByLabel('I spoke to them, and the six words are the same.').check()
      await signButton.click()
      await page().getByText('You signed.').waitFor()
    }

    /** Waits until the recovery that this device asked for runs on all networks. */
    async function runs(page: Page): Promise<void> {
      await page.goto(`${service().url}/recover`)
      await expect.poll(() => page.getByText(/^Finishes on /).count()).toBe(3)
    }

    /** The account is back on three networks, with the new passkey. */
    async function finish(page: Page): Promise<void> {
      await page.goto(`${service().url}/recover`)
      // The service finishes at once if it is just looking, or when it is told to.
      const finishing = page.getByRole('button', { name: 'Finish it now' })
      const pressed = finishing.click().catch(() => {})
      await page.getByText('Your account is yours again.').waitFor()
      await Promise.race([pressed, finishing.waitFor({ state: 'detached' })])
      await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(3)
      await page.getByRole('button', { name: 'Sign in with the new passkey' }).click()
      await page.getByRole('heading', { name: /^You have/ }).waitFor()
    }

    let paula: { link: string; words: string }
    let petra: { link: string; words: string }
    let deceit: { link: string; words: string }

    chapter('one friend has an account that exists nowhere, and the other has paid', async () => {
      await as('phone of fritz')
      await register('fritz')
      await as('phone of frida')
      await register('frida')
      await fund(['Local 1'])
      await send('Local 1')
    })

    chapter('two owners name them as guardians', async () => {
      await as('phone of paula')
      await register('paula')
      await fund(networks)
      await nameGuardians(2)
      await as('phone of petra')
      await register('petra')
      await nameGuardians(1)
    })

    chapter('without her phone, the first asks both, and both sign once', async (page) => {
      await as('new phone of paula')
      paula = await begin('paula')
      await as('phone of fritz')
      await page.goto(paula.link)
      expect(await spoken()).toBe(paula.words)
      await sign('fritz', paula.link)
      await as('phone of frida')
      await sign('frida', paula.link)
      await as('new phone of paula')
      await runs(page)
    })

    chapter('a thief deceives one guardian of the second, and a false recovery runs', async (page) => {
      await as('phone of a thief')
      deceit = await begin('petra')
      await as('phone of fritz')
      await sign('fritz', deceit.link)
      await as('phone of a thief')
      await runs(page)
    })

    chapter('her other guardian signs the right one, which takes its place on all networks', async (page) => {
      await as('new phone of petra')
      petra = await begin('petra')
      expect(petra.words).not.toBe(deceit.words)
      await as('phone of frida')
      await sign('frida', petra.link)
      await as('new phone of petra')
      await runs(page)
      await as('phone of a thief')
      await page.goto(`${service().url}/recover`)
      await expect.poll(() => page.getByText('Cancelled or replaced').count()).toBe(3)
      await look('recovery-replaced')
    })

    chapter('after the delay, the first sends on all three networks', async (page) => {
      await wait(3 * days)
      await as('new phone of paula')
      await finish(page)
      for (const network of networks) await send(network)
    })

    chapter('the second owns her account, and the thief owns nothing', async (page) => {
      await as('new phone of petra')
      await finish(page)
      await as('phone of a thief')
      await page.goto(`${service().url}/recover`)
      await expect.poll(() => page.getByText('Cancelled or replaced').count()).toBe(3)
    })
  },
  () => startService({ ACCOUNT_MODULES: 'ownership' }),
)
