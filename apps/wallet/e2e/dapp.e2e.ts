/** @module-tag all */
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { type ServedPage, serveDapp } from './serve-page.ts'
import { describeOnStage } from './stage.ts'

describeOnStage('a page on another origin', ({ service, browser, chapter, go }) => {
  let served: ServedPage
  let dapp: Page
  afterAll(() => served?.[Symbol.asyncDispose]())

  /** Presses a button of the page, and returns the wallet window that it opens. */
  async function openWallet(button: string): Promise<Page> {
    const [popup] = await Promise.all([
      dapp.waitForEvent('popup'),
      dapp.getByRole('button', { name: button, exact: true }).click(),
    ])
    await browser().authenticator.shareWith(await browser().context.newCDPSession(popup))
    await popup.getByText(served.origin).waitFor()
    return popup
  }

  /** Confirms in the wallet's window, which then closes. */
  async function confirm(popup: Page, button: string) {
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: button, exact: true }).click()
    await closed
  }

  chapter('connects through a popup of the wallet', async (page) => {
    await page.getByLabel('Username', { exact: true }).fill('grace')
    await page.getByText('Available', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    served = await serveDapp(service().url, service().rpcUrl)
    dapp = await browser().context.newPage()
    await dapp.goto(served.origin)
    const popup = await openWallet('Connect Lanyard')
    await popup.getByRole('heading', { name: 'Connect' }).waitFor()
    await popup.getByText('grace’s account').waitFor()
    await confirm(popup, 'Connect')
    await dapp.getByText(/^Connected as 0x/).waitFor()
  })

  chapter('signs a text and typed data, verified before the account is deployed', async () => {
    const text = await openWallet('Sign a message')
    await text.getByText('Hello from a page on another origin').waitFor()
    await confirm(text, 'Sign with passkey')
    await dapp.getByText('Verified on the network').waitFor()
    const data = await openWallet('Sign typed data')
    await data.getByText('Greeting', { exact: true }).waitFor()
    await confirm(data, 'Sign with passkey')
    await expect.poll(() => dapp.getByText('Verified on the network').count()).toBe(2)
  })

  chapter('sends calls, as the wallet recomputed them, and follows them', async () => {
    const popup = await openWallet('Send two calls')
    await popup.getByText('Recomputed on this device').waitFor()
    await popup.getByText('0.01').first().waitFor()
    await confirm(popup, 'Sign with passkey')
    await dapp.getByText('Calls: success').waitFor()
  })

  chapter('is still connected after a reload, until the wallet disconnects it', async (page) => {
    await dapp.reload()
    await dapp.getByText(/^Connected as 0x/).waitFor()
    await page.bringToFront()
    await go('Apps')
    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByRole('button', { name: `Disconnect ${served.origin}` }).click()
    await page.getByText('No app is connected').waitFor()
    await dapp.bringToFront()
    await dapp.getByRole('button', { name: 'Sign a message' }).click()
    await dapp.getByRole('button', { name: 'Connect Lanyard' }).waitFor()
  })
})
