/** @module-tag all */
// @promise 8

import { expect, test } from 'vitest'
import { Authenticator } from './authenticator.ts'
import { startPasskeyService, transfer } from './passkey-service.ts'

test('behavior: a page on a subdomain of the RP ID can register and sign in', async () => {
  await using service = await startPasskeyService({
    environment: { RP_ID: 'example.org', ORIGINS: 'https://wallet.example.org, https://app.example.org' },
  })
  const passkey = new Authenticator('https://wallet.example.org')
  const user = await service.register('sub', passkey)
  expect((await service.registerOptions('other')).body.rp.id).toBe('example.org')
  const options = await service.authenticateOptions('sub')
  // The options always contain the RP ID. Without it a browser would use the page's own domain.
  expect(options.body.passkeyAuthenticationOptions.rpId).toBe('example.org')
  const signedIn = await service.authenticateVerify(
    'sub',
    passkey.get(options.body.passkeyAuthenticationOptions, {
      clientData: (members) => {
        members.origin = 'https://app.example.org'
      },
    }),
  )
  expect(signedIn.status).toBe(200)
  expect((await service.send(user, transfer())).status).toBe(200)
})
