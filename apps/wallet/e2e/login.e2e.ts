/** @module-tag all */
/** @module-tag longer */
import {
  identityEnvironment,
  type LoginProvider,
  startLoginProvider,
} from '@lanyard/api/test/identity/start-login-provider.ts'
import { freePorts } from '@lanyard/testing'
import { afterAll, expect } from 'vitest'
import { de } from '../src/i18n/de.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'

/** A text as Lena reads it. */
const inGerman = (text: string, values: Readonly<Record<string, string>> = {}) =>
  Object.entries(values).reduce(
    (said, [name, value]) => said.replace(`{${name}}`, value),
    de[text] ?? expect.unreachable(`German has no: ${text}`),
  )

let provider: LoginProvider | undefined
afterAll(() => provider?.[Symbol.asyncDispose]())

/** Lena reads German and has a login at a provider. Gustav, her guardian, reads English and has none. */
describeOnStage(
  'a login at a provider',
  ({ service, page, chapter, look, as, register }) => {
    const name = (text: string, values?: Readonly<Record<string, string>>) => ({
      name: inGerman(text, values),
      exact: true,
    })
    const see = (text: string, values?: Readonly<Record<string, string>>) =>
      page().getByText(inGerman(text, values), { exact: true }).first().waitFor()
    const press = (text: string, values?: Readonly<Record<string, string>>) =>
      page().getByRole('button', name(text, values)).click()
    const inHerLanguage = async () => {
      await page().evaluate(() => localStorage.setItem('lanyard.language', 'de'))
      await page().reload()
    }
    const continueWithLogin = () => press('Continue with {name}', { name: 'Login 1' })
    const isHome = () =>
      page()
        .getByRole('heading', { level: 1 })
        .getByText(/Du hast/)
        .waitFor()
    let link = ''

    chapter('somebody without a login is a guardian', () => register('gustav'))

    chapter('a login without an account creates the first passkey', async () => {
      await as('lena')
      await inHerLanguage()
      await continueWithLogin()
      await see('No account is linked to this login yet')
      await look('login-new-de')
      await page().getByLabel(inGerman('Username'), { exact: true }).fill('lena')
      await press('Create with a passkey')
      await isHome()
    })

    chapter('the login names her, and her passkey signs in', async () => {
      // The menu, in her language.
      await page().evaluate(() => sessionStorage.clear())
      await withoutAutofill(page(), async () => void (await page().goto(service().url)))
      await continueWithLogin()
      await see('Your login names {username}', { username: 'lena' })
      await see('Only a passkey of this account opens it.')
      await look('login-named-de')
      await press('Sign in with a passkey')
      await isHome()
    })

    chapter('she names a guardian, and sees her login', async () => {
      await page().goto(`${service().url}/protection`)
      await page().getByLabel(inGerman('Guardian'), { exact: true }).fill('gustav')
      await page().getByRole('option', { name: 'gustav' }).first().click()
      await press('Add guardian')
      await page().getByLabel(inGerman('I want one guardian to be enough.')).check()
      await press('Sign with passkey')
      await page()
        .getByText(/^Gültig in Local 1/)
        .waitFor()
      await page().getByRole('heading', name('Logins')).waitFor()
      await look('login-linked-de')
    })

    chapter('on a new phone, her login asks the guardian', async () => {
      await as('new phone of lena')
      await page().goto(`${service().url}/recover`)
      await inHerLanguage()
      await page().getByLabel(inGerman('Username'), { exact: true }).fill('lena')
      await press('Continue')
      await press('Create a new passkey')
      await page().locator('code').waitFor()
      link = (await page().locator('code').textContent()) ?? ''
      await press('Ask with {name}', { name: 'Login 1' })
      await see('Your login has asked.')
      await look('login-asked-de')
    })

    chapter('the guardian reads that a login proves no person', async () => {
      await as('first')
      await page().goto(link)
      await page().getByText('Someone with the login of this account asks too.').waitFor()
      await page()
        .getByText(/^A login proves no person/)
        .waitFor()
      expect(await page().getByRole('list', { name: 'The six words' }).getByRole('listitem').count()).toBe(6)
      await look('login-guardian')
    })

    chapter('whoever has the login alone signs in to nothing', async () => {
      await as('thief')
      await page().getByRole('button', { name: 'Continue with Login 1' }).click()
      await page().getByText('Your login names lena').waitFor()
      await page().getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page().getByText('You are not signed in.').waitFor()
      expect(await page().evaluate(() => sessionStorage.getItem('lanyard.session'))).toBeNull()
    })
  },
  async () => {
    const port = await freePorts(1)
    provider = await startLoginProvider({ page: `http://localhost:${port}/login` })
    return startService({
      PORT: String(port),
      ACCOUNT_MODULES: 'ownership',
      ...identityEnvironment(provider),
    })
  },
)
