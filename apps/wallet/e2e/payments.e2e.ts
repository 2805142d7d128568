import type { Page } from 'playwright-core'
import { describeOnStage } from './stage.ts'

/** Anvil's second account. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describeOnStage('everyday payments in a browser', ({ page, chapter, look, go }) => {
  const review = () => page().getByRole('button', { name: 'Review', exact: true })
  const address = (text: string, on: Page) => on.getByText(text.slice(2, 6)).first()

  chapter('finds the exact username, and shows the address that it pays', async (page) => {
    await page.getByLabel('Username').fill('erin')
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('button', { name: 'Copy your address' }).click()
    const own = await page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    await go('Send')
    // No pause between typing and pressing: the list below the field has not come yet.
    await page.getByLabel('To', { exact: true }).fill('nobody-of-this-name')
    await page.getByLabel('Amount').fill('0.1')
    await review().click()
    await page.getByText('Nobody here is called “nobody-of-this-name”.').waitFor()
    await page.getByLabel('To', { exact: true }).fill('ERIN')
    await review().click()
    await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
    await page.getByText('to erin').waitFor()
    await address(own, page).waitFor()
    await look('send-review-name')
    await page.getByRole('button', { name: 'Back' }).click()
  })

  chapter('chooses by arrow keys, and the focus stays in the field', async (page) => {
    const to = page.getByRole('combobox', { name: 'To', exact: true })
    await to.fill('eri')
    const option = page.getByRole('option', { name: /erin/ })
    await option.waitFor()
    await look('send-suggestions')
    await to.press('ArrowDown')
    await to.press('Enter')
    await page.getByText('This is your own address.').waitFor()
    await page.locator(':focus[role=combobox]').waitFor()
    await to.fill(recipient)
    await page.getByRole('button', { name: 'Save as contact' }).click()
    await page.getByLabel('Name of the contact').fill('Grandma')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await to.fill('grand')
    await to.press('ArrowDown')
    await to.press('Enter')
    await address(recipient, page).waitFor()
    await look('send-contact')
  })
})
