/** @module-tag all */
/** @module-tag longer */
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'

/** The passkey with which somebody is signed in. */
const ownPasskey = () => JSON.parse(sessionStorage.getItem('lanyard.session') ?? '{}').credentialId

describeOnStage(
  'what the wallet tells the provider of passkeys',
  ({ browser, page, chapter, go, register, signOut }) => {
    const signals = () => browser().authenticator.signals
    const signInAsSigrid = async () => {
      await page().getByLabel('Or by username').fill('sigrid')
      await page().getByRole('button', { name: 'Sign in', exact: true }).click()
      await page()
        .getByRole('heading', { name: /^You have/ })
        .waitFor()
    }

    chapter('the name of the account, at a sign-in, once', async (page) => {
      await register('sigrid')
      expect(signals()).toEqual([])
      for (const _ of [1, 2]) {
        await withoutAutofill(page, signOut)
        await signInAsSigrid()
        await expect.poll(signals).toEqual(['name sigrid'])
      }
    })

    chapter('nothing when the service knows no passkey: it may have lost its rows', async (page) => {
      await withoutAutofill(page, signOut)
      await page.route('**/trpc/webauthn.discoverVerify*', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/json',
          body: JSON.stringify({
            error: { message: 'x', code: -32600, data: { code: 'VERIFICATION_FAILED', message: 'x' } },
          }),
        }),
      )
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText('The service could not verify your passkey.').waitFor()
      await page.unroute('**/trpc/webauthn.discoverVerify*')
      expect(signals()).toEqual(['name sigrid'])
      await signInAsSigrid() // the passkey is there
    })

    chapter('a passkey that its person removed from every network', async (page) => {
      await go('Protection')
      await page.getByRole('button', { name: 'Add an owner' }).click()
      await page.getByRole('tab', { name: 'Passkey' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Spare phone')
      await browser().authenticator.useDevice('spare')
      await page.getByRole('button', { name: 'Create a passkey' }).click()
      await page.getByRole('heading', { name: 'Protect all networks' }).waitFor()
      await browser().authenticator.useDevice('first')
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('This owner can act for your account on every network.').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()

      await withoutAutofill(page, signOut)
      await browser().authenticator.useDevice('spare')
      await signInAsSigrid()
      const spare = await page.evaluate(ownPasskey)
      await go('Protection')
      await page.getByRole('button', { name: /^Remove Spare phone/ }).click()
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('This owner cannot act for your account on any network.').waitFor()
      await expect.poll(signals).toEqual(['name sigrid', 'name sigrid', `deleted ${spare}`])
    })
  },
  () => startService({ ACCOUNT_MODULES: 'ownership' }),
)
