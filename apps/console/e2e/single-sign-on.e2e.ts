/** @module-tag all */
import { startConsole, type TestConsole } from '@lanyard/api/test/console/start-console.ts'
import { findBarriers } from '@lanyard/wallet/e2e/accessibility.ts'
import { describeOnStage, type Stage } from '@lanyard/wallet/e2e/stage.ts'
import { expect } from 'vitest'

let console: TestConsole

async function start() {
  console = await startConsole({
    ...{ CONSOLE_OIDC_NAME: 'Acme ID', CONSOLE_APPROVALS: 'keys.create:full,policies.save' },
    CONSOLE_PASSKEYS: 'break-glass',
  })
  console.provider.is('ada', { username: 'ada', groups: ['lanyard-admins'] })
  return { ...console, url: console.origin, rpcUrl: '', banner: '' }
}

type Page = ReturnType<Stage['page']>

const signIn = (page: Page) => page.getByRole('button', { name: 'Continue with Acme ID' }).click()

/** Adds a passkey, which an administrator vouches for, as `lanyard operators confirm` does. */
async function addPasskey(page: Page) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Your passkey waits for an administrator').waitFor()
}

async function confirmPasskeys(page: Page) {
  await console.database.db.updateTable('operator_passkeys').set({ waiting: false }).execute()
  await page.reload()
  await page.getByText('Your passkey waits for an administrator').waitFor({ state: 'hidden' })
}

describeOnStage(
  'operators of an identity provider',
  ({ chapter, look, go, as }) => {
    chapter('somebody without a group learns what to do', async (page) => {
      console.provider.is('eve', { username: 'eve', groups: ['guests'] })
      await page.getByRole('button', { name: 'Continue with Acme ID' }).waitFor()
      await look('console-provider-sign-in')
      await signIn(page)
      await page.getByRole('heading', { name: 'You have no access here' }).waitFor()
      await look('console-denied')
      await page.getByRole('button', { name: 'To the sign-in' }).click()
    })

    chapter('an operator signs in at the provider and adds a passkey, which waits', async (page) => {
      await page.context().clearCookies()
      console.provider.is('ada', { username: 'ada', groups: ['lanyard-admins'] })
      await page.goto(`${console.origin}/keys`)
      await signIn(page)
      await page.getByRole('heading', { name: 'Keys' }).waitFor()
      await page.getByText('Add a passkey to change anything').waitFor()
      await addPasskey(page)
      await look('console-passkey-waits')
      await confirmPasskeys(page)
    })

    chapter('the passkey confirms a key, and a second person has to approve it', async (page) => {
      await go('Keys')
      await page.getByLabel('Name', { exact: true }).fill('server')
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('This waits for a second person').waitFor()
      await page.getByText(/^lk_secret_/).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByText('There is no key yet.').waitFor()
      await go('Approvals')
      await page.getByRole('button', { name: /^Withdraw apr_/ }).waitFor()
      expect(await page.getByRole('button', { name: /^Approve apr_/ }).count()).toBe(0)
    })

    chapter('a draft of policies waits for a second person, too', async (page) => {
      await go('Policies')
      const draft = { policies: [{ id: 'shop', budgets: { day: { wei: '2000000000000000000' } } }] }
      await page.getByRole('link', { name: 'Change policies' }).click()
      await page.getByRole('tab', { name: 'As a file' }).click()
      await page.getByLabel('A file of policies').fill(JSON.stringify(draft))
      await page.getByRole('button', { name: 'Put into force…' }).click()
      await page.getByRole('button', { name: 'Put them into force' }).click()
      await page.getByText('This waits for a second person').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
    })

    chapter('the operator sees their passkeys, and keeps the last one', async (page) => {
      await page.getByRole('link', { name: /^Your passkeys/ }).click()
      await page.getByRole('button', { name: /^Remove / }).waitFor()
      await look('console-passkeys')
      await page.getByRole('button', { name: /^Remove / }).click()
      await page.getByRole('button', { name: 'Remove it' }).click()
      await page.getByText('This is your only passkey.').waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: /^Remove / }).waitFor()
    })

    chapter('a second operator approves it, with a passkey of their own', async (page) => {
      await page.context().clearCookies()
      console.provider.is('bea', { username: 'bea', groups: ['lanyard-admins'] })
      await as('second')
      await signIn(page)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await addPasskey(page)
      await confirmPasskeys(page)
      await page.getByRole('link', { name: /^Approvals 2 for you to decide/ }).click()
      await page.getByText('shop: cost for all accounts in a day: 2 ETH.').waitFor()
      await look('console-approvals')
      for (const left of [1, 0]) {
        await page
          .getByRole('button', { name: /^Approve apr_/ })
          .first()
          .click()
        await page.getByRole('button', { name: 'Approve and do it' }).click()
        await expect.poll(() => page.getByRole('button', { name: /^Approve apr_/ }).count()).toBe(left)
      }
      await page.getByText('Nothing waits for a second person.').waitFor()
      expect(await page.getByRole('cell', { name: 'Approved' }).count()).toBe(2)
      await go('Policies')
      await page.getByRole('heading', { name: 'shop', exact: true }).waitFor()
      await go('Keys')
      await page.getByRole('cell', { name: 'server', exact: true }).waitFor()
    })

    chapter('the audit log names both at their provider, and the people are listed', async (page) => {
      await go('Audit log')
      for (const name of ['ada', 'bea']) {
        await page
          .getByRole('button', { name: new RegExp(`\\b${name}\\.[0-9a-f]+`) })
          .first()
          .click()
        await page.getByText(`${name} at ${console.provider.issuer}`).first().waitFor()
      }
      await look('console-audit-identities')
      await go('Operators')
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
      await look('console-people')
    })

    chapter('whom the provider removes is at the sign-in within a minute', async (page) => {
      console.provider.is('bea', { username: 'bea', groups: [] })
      console.pass(60_000)
      await page.reload()
      await page.getByRole('button', { name: 'Continue with Acme ID' }).waitFor()
    })
  },
  start,
)
