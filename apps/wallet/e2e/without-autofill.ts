import type { Page } from 'playwright-core'

/**
 * Opens a screen that offers passkeys in the suggestions of its username field, and lets the offer fail: the virtual
 * authenticator approves everything, so it would sign in before a button is pressed.
 */
export async function withoutAutofill(page: Page, open: () => Promise<void>): Promise<void> {
  const offer = '**/trpc/webauthn.discoverOptions*'
  await page.route(offer, (route) => route.abort())
  // Other requests may fail too: an event stream ends when its screen closes.
  const rejected = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('webauthn.discoverOptions'),
  )
  await Promise.all([rejected, open()])
  await page.unroute(offer)
}
