/** @module-tag all */
/** @module-tag longer */
// @promise 21
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { readDownload } from './read-download.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'
import { writeNetworks } from './write-networks.ts'

/** A key that the person stores elsewhere. */
const recovery = privateKeyToAccount(randomPrivateKey())

/** Anvil's second account, an arbitrary recipient. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describeOnStage('the wallet in a browser', ({ service, browser, chapter, look, go, openMenu, signOut }) => {
  chapter('says that nothing happened after a cancelled prompt', async (page) => {
    await look('welcome')
    await browser().authenticator.setUserVerified(false)
    await page.getByLabel('Username', { exact: true }).fill('alice')
    await page.getByText('Available', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByText('The passkey prompt was closed or timed out.').waitFor()
    await page.getByText('No account was created.').waitFor()
    await look('welcome-cancelled')
    await browser().authenticator.setUserVerified(true)
  })

  chapter('registers', async (page) => {
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('heading', { name: /^You have/ }).waitFor()
    await openMenu()
    await look('account-menu')
    await page.getByRole('button', { name: 'Copy your address' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy your address' }).waitFor({ state: 'hidden' })
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })

  chapter('gets test money', async (page) => {
    await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    await page.getByText('100.00').first().waitFor()
    await look('home')
  })

  chapter('rejects an address with a wrong checksum', async (page) => {
    await go('Send')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Enter an address or a username.').waitFor()
    await page.getByLabel('To', { exact: true }).fill(recipient.replace('C51', 'c51'))
    await page.getByLabel('Amount', { exact: true }).fill('0.25')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText(/The checksum is wrong/).waitFor()
    await look('send-wrong-checksum')
  })

  chapter('sends ETH after a closed prompt', async (page) => {
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Recomputed on this device').waitFor()
    await page.getByText('Also deploys your account').waitFor()
    await look('send-review')
    await browser().authenticator.setUserVerified(false)
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText(/^Nothing was signed/).waitFor()
    await browser().authenticator.setUserVerified(true)
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await page.getByText('Sent 0.25 ETH to 0x7099…79C8 on Local 1.').waitFor()
    await look('send-done')
  })

  chapter('sends the entire balance of a token', async (page) => {
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'USDC' })
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByRole('button', { name: 'Send all USDC' }).click()
    await expect.poll(() => page.getByLabel('Amount', { exact: true }).inputValue()).toBe('100')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('Sent 100 USDC to 0x7099…79C8 on Local 1.').waitFor()
  })

  chapter('sends all ETH and reserves the fee', async (page) => {
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByRole('button', { name: 'Send all ETH' }).click()
    await page.getByText('leaves enough for the fee').waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Sign with passkey' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
  })

  chapter('encodes a contract call, and does not build a failing one', async (page) => {
    await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'Contract call' })
    await page.getByLabel('Function').fill('transfer(address to, uint256 amount)')
    await page.getByLabel('to (address)').fill(recipient)
    await page.getByLabel('amount (uint256)').fill('1')
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Call a contract').waitFor()
    await page.getByText('1. to (address)').waitFor()
    await look('send-contract-call')
    await page.getByRole('button', { name: 'Back' }).click()
    const { networks } = await (await fetch(`${service().url}/networks`)).json()
    await page.getByLabel('To', { exact: true }).fill(networks[0].settlementToken.address)
    await page.getByLabel('amount (uint256)').fill('1000000000000')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Your account does not hold that much of this token.').waitFor()
    await look('send-refused')
  })

  chapter('shows the activity', async (page) => {
    await go('Activity')
    // The tray of what is under way can still say the same.
    const list = page.getByRole('region', { name: 'Activity' })
    await list.getByRole('button', { name: /^Sent 0\.25 ETH to 0x7099…79C8/ }).waitFor()
    await list.getByRole('button', { name: /^Sent 100 USDC to 0x7099…79C8/ }).waitFor()
    await look('activity')
    await page.getByRole('radio', { name: 'Received' }).click()
    await page.getByText('Received 100 USDC, test money').waitFor()
    await look('activity-received')
  })

  chapter('protects all networks in one run, with a verified key', async (page) => {
    await go('Protection')
    await page.getByText('You lose everything in this account.').waitFor()
    await page.getByRole('button', { name: 'Add an owner' }).click()
    await page.getByRole('tab', { name: 'Recovery key' }).click()
    await page.getByRole('button', { name: 'Make a recovery key' }).click()
    await look('owners-recovery-key')
    await page.getByRole('tab', { name: 'Address' }).click()
    await page.getByRole('textbox', { name: 'Recovery address' }).fill(recovery.address)
    await page.getByRole('button', { name: 'Continue' }).click()
    const text = (await page.locator('pre').textContent()) ?? ''
    await look('owners-proof')
    await page.getByLabel('Signature').fill(await recovery.signMessage({ message: text }))
    await page.getByRole('button', { name: 'Check and continue' }).click()
    await page.getByText('0 of 3 networks done').waitFor()
    // A started change survives a reload.
    await page.reload()
    await page.getByRole('button', { name: 'Start with Local 1' }).click()
    await page.getByText('This owner can then act alone').waitFor()
    await page.getByText('Lets a key spend your deposit on this network.').waitFor()
    await look('owners-run')
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    // The account cannot pay a fee on this network, so the service pays.
    await page.getByText('1 of 3 networks done').waitFor()
    await page.getByText('Paid by this service').waitFor()
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('2 of 3 networks done').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Finish later' }).click()
    await page.getByText('You could not return to Local 3, where you have nothing yet.').waitFor()
    await look('owners')
    await page.getByRole('button', { name: 'Protect all networks' }).click()
    await page.getByRole('button', { name: 'Continue with Local 3' }).click()
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('This owner can act for your account on every network.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Owners now' }).waitFor()
    await page.getByText('You lose nothing: another owner remains.').waitFor()
    const [kit] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the kit' }).click(),
    ])
    expect(kit.suggestedFilename()).toMatch(/^lanyard-0x[0-9a-fA-F]{6}\.json$/)
  })

  chapter('signs out, and signs in again without a name', async (page) => {
    await withoutAutofill(page, signOut)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await look('sign-in')
    // Simulates a browser that has never seen the account.
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await withoutAutofill(page, () => page.getByRole('tab', { name: 'Sign in' }).click())
    expect(await page.getByLabel('Or by username').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: /^You have/ }).waitFor()
    await page.getByRole('button', { name: 'Account of alice' }).waitFor()
    // The address follows from the passkey, so the person does not have to compare it.
    expect(await page.getByText('Compare this address first.').count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: /^You have/ }).waitFor()
  })

  chapter('also downloads the recovery kit there', async (page) => {
    await go('Protection')
    const [kit] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the kit' }).click(),
    ])
    await page.getByText('Checked on this device').waitFor()
    const { username, passkey, networks } = JSON.parse(await readDownload(kit))
    expect({ username, rpId: passkey.rpId }).toEqual({ username: 'alice', rpId: 'localhost' })
    expect(networks).toHaveLength(3)
  })

  chapter('signs out, and signs in again by name', async (page) => {
    await withoutAutofill(page, signOut)
    const name = page.getByLabel('Or by username')
    expect(await name.inputValue()).toBe('alice')
    await name.fill('nobody-of-this-name')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('There is no account with this name.').waitFor()
    await look('sign-in-unknown')
    const created = await fetch(`${service().url}/smart-account/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eoaAddress: recovery.address, type: 'eip7702' }),
    })
    await name.fill((await created.json()).username)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This account has no passkey: the key of an address signs for it.').waitFor()
    await page.getByText(/^Use it in an app that connects the wallet of that address/).waitFor()
    await look('sign-in-without-passkey')
    await name.fill('alice')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: /^You have/ }).waitFor()
  })

  chapter('signs out, and signs in again by autofill', async (page) => {
    await signOut()
    await page.getByRole('heading', { name: /^You have/ }).waitFor()
  })

  chapter('adds a passkey from another device', async (page) => {
    await go('Protection')
    await page.getByRole('button', { name: 'Add an owner' }).click()
    await page.getByRole('tab', { name: 'Passkey' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Spare phone')
    await browser().authenticator.useDevice('spare')
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    // The guardians on the screen before have a button of the same name.
    await page.getByRole('heading', { name: 'Protect all networks' }).waitFor()
    await page.getByRole('button', { name: 'Start with Local 1' }).click()
    await page.getByText('Creates the contract that verifies the new passkey.').waitFor()
    await browser().authenticator.useDevice('first')
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('1 of 3 networks done').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Finish later' }).click()
    await page.getByText('Spare phone').waitFor()
  })

  chapter('loses the first passkey, and continues with the second', async (page) => {
    await browser().authenticator.useDevice('spare')
    await withoutAutofill(page, signOut)
    await page.evaluate(() => localStorage.clear())
    await page.goto(service().url)
    await page.getByRole('tab', { name: 'Sign in' }).click()
    await page.getByText('Compare this address first.').waitFor()
    await look('home-unproven')
    await go('Send')
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByLabel('Amount', { exact: true }).fill('0.1')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('Sent 0.1 ETH to 0x7099…79C8 on Local 1.').waitFor()
  })

  chapter('removes an owner, and shows where it can still sign', async (page) => {
    await go('Protection')
    await page.getByRole('button', { name: `Remove Recovery address ${recovery.address}` }).click()
    await page.getByRole('heading', { name: /^Remove/ }).waitFor()
    await page.getByRole('button', { name: 'Start with Local 1' }).click()
    await page.getByText('This owner can then no longer act').waitFor()
    await page.getByText('Removes a key’s right to spend the combined balance').waitFor()
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('This owner can still sign on Local 2 and Local 3.').waitFor()
    await page.getByRole('button', { name: 'Sign with passkey' }).waitFor() // the build for Local 2 has arrived
    await look('owners-remove')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Finish later' }).click()
    await page.getByText('Only on Local 2 and Local 3').waitFor()
  })

  chapter('follows an operation if the connection breaks after it was sent', async (page) => {
    await go('Send')
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByLabel('Amount', { exact: true }).fill('0.01')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.route('**/trpc/webauthn.transactionVerify*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('Sent 0.01 ETH to 0x7099…79C8 on Local 1.').waitFor()
    await page.unroute('**/trpc/webauthn.transactionVerify*')
  })

  chapter('shows that the signature did not arrive', async (page) => {
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByLabel('Amount', { exact: true }).fill('0.02')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.route('**/trpc/webauthn.transactionVerify*', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('The service did not receive your signature.').waitFor()
    await look('send-never-arrived')
    await page.unroute('**/trpc/webauthn.transactionVerify*')
    await page.getByRole('button', { name: 'Sign again' }).click()
    await page.getByRole('button', { name: 'Sign with passkey' }).click()
    await page.getByText('Sent 0.02 ETH to 0x7099…79C8 on Local 1.').waitFor()
  })

  chapter('finds a user by name', async (page) => {
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByLabel('To', { exact: true }).fill('ali')
    await page.getByRole('option', { name: /alice/ }).click()
    await page.getByText('This is your own address.').waitFor()
  })

  chapter('fits a narrow phone, and keeps the chosen theme', async (page) => {
    await openMenu()
    await page.getByRole('radio', { name: 'Dark' }).click()
    for (const place of ['Home', 'Send', 'Activity', 'Protection']) {
      await go(place)
      await page.getByRole('heading', { name: place === 'Home' ? /^You have/ : place, level: 1 }).waitFor()
      for (const width of [320, 360, 768]) {
        await page.setViewportSize({ width, height: 740 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect({ place, width, overflow }).toEqual({ place, width, overflow: 0 })
        await page.getByRole('button', { name: 'Account of alice' }).waitFor()
      }
    }
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await openMenu()
    await page.getByRole('radio', { name: 'Like the system' }).click()
    await page.keyboard.press('Escape')
  })

  chapter('keeps working if a network is down', async (page) => {
    await using networks = await writeNetworks(service().rpcUrl)
    await using partly = await startService({ NETWORKS_FILE: networks.path, NODE_ENV: 'development' })
    await browser().authenticator.useDevice('other')
    await page.setViewportSize({ width: 1180, height: 860 })
    await page.goto(partly.url)
    await page.getByLabel('Username', { exact: true }).fill('bob')
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByText('Unreachable is not responding. What you have there is missing here.').waitFor()
    await look('home-network-down')
    await go('Protection')
    await page.getByText('Unreachable is not responding. Owners there are not shown.').waitFor()
    await look('owners-network-down')
    await go('Send')
    await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Unreachable' })
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByLabel('Amount', { exact: true }).fill('0.1')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('This network is not responding.').waitFor()
    await look('send-network-down')
    await page.goto(service().url)
  })
})
