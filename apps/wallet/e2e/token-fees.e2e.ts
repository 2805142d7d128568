/** @module-tag all */
import { createTestClient, http, isAddress } from 'viem'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'

/** Anvil's second account. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describeOnStage(
  'an account that has USDC and too little ETH, in a browser',
  ({ service, page, chapter, look, go, register, openMenu }) => {
    /** Leaves the account its USDC, and this much ETH on the first network. */
    async function setEther(value: bigint): Promise<void> {
      const account: string = await page().evaluate(
        () => JSON.parse(sessionStorage.getItem('lanyard.session') ?? '{}').account,
      )
      if (!isAddress(account)) throw new Error(`${account} is no account.`)
      const chain = createTestClient({ mode: 'anvil', transport: http(service().rpcUrl) })
      await chain.setBalance({ address: account, value })
      await page().reload()
    }

    chapter('says before the signature that the network fee is paid in USDC', async (page) => {
      await register('tokenfee')
      await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
      await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
      await setEther(0n)
      await go('Send')
      await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'USDC' })
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('Amount', { exact: true }).fill('1')
      await page.getByRole('button', { name: 'Review', exact: true }).click()
      const fee = page.getByText('Network fee, at most').first()
      await fee.waitFor()
      await fee
        .locator('xpath=following-sibling::dd')
        .getByText(/^[\d.]+ USDC$/)
        .waitFor()
      await page
        .getByText(
          'You have too little ETH here for the fee, so you pay it in USDC. You keep what is not needed.',
        )
        .waitFor()
      await look('token-fee-review')
    })

    chapter('shows one payment, with a receipt that has the fee in USDC', async (page) => {
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      await go('Activity')
      const list = page.getByRole('region', { name: 'Activity' })
      const sent = list.getByRole('button', { name: /^Sent 1 USDC to .*0x7099…79C8/ })
      await sent.waitFor()
      expect(await list.getByText(/approve/i).count()).toBe(0)
      await look('token-fee-activity')
      await sent.click()
      const receipt = page.getByRole('dialog', { name: 'Receipt' })
      await receipt.getByText('Paid', { exact: true }).waitFor()
      await receipt
        .getByText('Fee', { exact: true })
        .locator('xpath=following-sibling::dd')
        .getByText(/^[\d.]+ USDC$/)
        .waitFor()
      await receipt.getByText('Details').click()
      await receipt.getByText('Signed by').waitFor()
      await look('token-fee-receipt')
      await page.keyboard.press('Escape')
      await receipt.waitFor({ state: 'hidden' })
    })

    chapter('says the same in German, of an account with some ETH', async (page) => {
      await setEther(1_000_000_000n)
      await openMenu()
      await page.getByLabel('Language').selectOption('de')
      await page.goto(`${service().url}/send`)
      await page.getByLabel('Währung', { exact: true }).selectOption({ label: 'USDC' })
      await page.getByLabel('An', { exact: true }).fill(recipient)
      await page.getByLabel('Betrag', { exact: true }).fill('1,5')
      await page.getByRole('button', { name: 'Prüfen' }).click()
      await page
        .getByText(
          'Du hast hier zu wenig ETH für die Gebühr und zahlst sie deshalb in USDC. Was nicht gebraucht wird, behältst du.',
        )
        .waitFor()
      await look('token-fee-review-german')
    })
  },
)
