/** @module-tag all */
/** @module-tag longer */
import { fileURLToPath } from 'node:url'
import {
  accountReads,
  computeAccountAddress,
  defaultDeployment,
  encodeEnableModule,
  recoveryTypedData,
  storedPartReads,
} from '@lanyard/accounts'
import { devAccounts, ownershipAddress } from '@lanyard/devnet'
import { buildIfStale } from '@lanyard/recovery/scripts/build-if-stale.ts'
import { randomPrivateKey } from '@lanyard/testing'
import type { Page, Request } from 'playwright-core'
import {
  type Address,
  createTestClient,
  createWalletClient,
  hexToBigInt,
  http,
  numberToHex,
  pad,
  parseEther,
  publicActions,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { readDownload } from './read-download.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'

const guardian = privateKeyToAccount(randomPrivateKey())
const spare = privateKeyToAccount(randomPrivateKey())
const thief = privateKeyToAccount(randomPrivateKey()).address
const guardSlot = numberToHex(storedPartReads(ownershipAddress).guard.args[0], { size: 32 })
const payer = devAccounts[4]?.privateKey ?? '0x'

describeOnStage(
  'an account that is created with Ownership',
  ({ service, chapter, look, go }) => {
    let kit = ''
    const accountOf = async (name: string): Promise<Address> => {
      const { result } = await (await fetch(`${service().url}/api/user/search?query=${name}`)).json()
      return result[0].wallet_address
    }

    chapter('is recomputed on the device when it is created', async (page) => {
      await page.getByLabel('Username', { exact: true }).fill('olga')
      await page.getByText('Available', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Create with a passkey' }).click()
      await page.getByRole('heading', { name: /^You have/ }).waitFor()
    })

    chapter('has guardians by one signature, before its first operation', async (page) => {
      await go('Protection')
      await page.getByLabel('Guardian', { exact: true }).fill(guardian.address)
      await page.getByRole('button', { name: 'Add guardian' }).click()
      await page.getByRole('button', { name: 'Add it anyway' }).click()
      await page.getByRole('list', { name: 'Chosen guardians' }).getByText(guardian.address).waitFor()
      await page.getByLabel('I want one guardian to be enough.').check()
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
    })

    const owners = (page: Page) => page.getByRole('region', { name: 'Owners now' }).getByRole('listitem')
    const signOnce = async (page: Page) => {
      const submitted: string[] = []
      const count = (request: Request) => {
        const [, procedure = ''] = /\/trpc\/(ownership\.submit|webauthn\.\w*Verify)/.exec(request.url()) ?? []
        if (procedure) submitted.push(procedure)
      }
      page.on('request', count)
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByText('3 of 3 networks done').waitFor()
      page.off('request', count)
      expect(submitted).toEqual(['ownership.submit'])
      await page.getByRole('button', { name: 'Done' }).click()
    }

    chapter('has a second owner on three networks by one signature', async (page) => {
      await go('Protection')
      await page.getByRole('button', { name: 'Add an owner' }).click()
      await page.getByRole('tab', { name: 'Recovery key' }).click()
      await page.getByRole('button', { name: 'Make a recovery key' }).click()
      const list = page.getByRole('list', { name: 'Recovery key' }).getByRole('listitem')
      await list.last().waitFor()
      const words = await list.evaluateAll((items) =>
        items.map(({ lastChild }) => lastChild?.textContent?.trim() ?? ''),
      )
      await page.getByRole('button', { name: 'I have kept them' }).click()
      for (const place of [3, 9]) await page.getByLabel(`Word ${place}`).fill(words[place - 1] ?? '')
      await page.getByRole('button', { name: 'Check and continue' }).click()
      await page.getByText('You sign once, for all networks.').waitFor()
      await page.getByText('This owner can then act alone').waitFor()
      await look('owners-once')
      await signOnce(page)
      await expect.poll(() => owners(page).filter({ hasText: 'On every network' }).count()).toBe(2)
    })

    chapter('replaces it by another one with one signature', async (page) => {
      await page.getByRole('button', { name: /^Replace Recovery address/ }).click()
      await page.getByRole('tab', { name: 'Address' }).click()
      await look('owners-replace')
      await page.getByRole('textbox', { name: 'Recovery address' }).fill(spare.address)
      await page.getByRole('button', { name: 'Continue' }).click()
      const text = (await page.locator('pre').textContent()) ?? ''
      await page.getByLabel('Signature').fill(await spare.signMessage({ message: text }))
      await page.getByRole('button', { name: 'Check and continue' }).click()
      await page.getByText('All session keys end, also those that other owners granted.').waitFor()
      await look('owners-replace-once')
      await signOnce(page)
      await owners(page).getByText(spare.address).waitFor()
      expect(await owners(page).count()).toBe(2)
    })

    chapter('removes it with one signature, everywhere', async (page) => {
      await page.getByRole('button', { name: `Remove Recovery address ${spare.address}` }).click()
      await page.getByText('You sign once, for all networks.').waitFor()
      await look('owners-remove-once')
      await signOnce(page)
      await expect.poll(() => owners(page).count()).toBe(1)
      const { networks } = await (
        await fetch(`${service().url}/smart-account/owner?walletAddress=${await accountOf('olga')}`)
      ).json()
      expect(networks.map((network: { owners: object[] }) => network.owners.length)).toEqual([1, 1, 1])
    })

    chapter('loses a module and a guard that a thief left, each by its button', async (page) => {
      const account = await accountOf('olga')
      const transport = http(service().rpcUrl)
      const chain = createTestClient({ mode: 'anvil', transport }).extend(publicActions)
      const { data } = encodeEnableModule({ account, module: thief })
      await chain.setBalance({ address: account, value: parseEther('1') })
      await chain.impersonateAccount({ address: account })
      await createWalletClient({ account, transport }).sendTransaction({ chain: null, to: account, data })
      await chain.setStorageAt({ address: account, index: guardSlot, value: pad(thief) })
      await page.reload()
      await page.getByText('A module on Local 1').waitFor()
      await look('leftovers')
      const removals = page.getByRole('button', { name: `Remove ${thief} on Local 1` })
      for (const left of [2, 1]) {
        // What was removed may still be on the screen for a moment.
        await expect.poll(() => removals.count()).toBe(left)
        await removals.first().click()
        await page.getByRole('button', { name: 'Sign with passkey' }).click()
        await page.getByRole('button', { name: 'Back to the list' }).click()
      }
      await expect.poll(() => page.getByText('Also in your account').count()).toBe(0)
      const [modules] = await chain.readContract({ ...accountReads(account).modules })
      expect(modules).not.toContain(thief)
      expect(await chain.getStorageAt({ address: account, slot: guardSlot })).toBe(zeroHash)
    })

    chapter('is recomputed at a sign-in in a browser that does not know it', async (page) => {
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      await page.goto(service().url)
      await withoutAutofill(page, () => page.getByRole('tab', { name: 'Sign in' }).click())
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('heading', { name: /^You have/ }).waitFor()
    })

    chapter('is described by its recovery kit', async (page) => {
      await go('Protection')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the kit' }).click(),
      ])
      kit = await readDownload(download)
      const { passkey, ownership, walletAddress } = JSON.parse(kit)
      expect(ownership).toBe(ownershipAddress)
      const [x, y, verifiers] = [passkey.x, passkey.y, passkey.verifiers].map((hex) => hexToBigInt(hex))
      const owner = { kind: 'passkey', x: x ?? 0n, y: y ?? 0n, verifiers: verifiers ?? 0n } as const
      expect(walletAddress).toBe(computeAccountAddress(owner, { ...defaultDeployment, ownership }))
    })

    chapter('is recovered by the page with the kit, and its owner cancels there', async (page) => {
      const { walletAddress: account } = JSON.parse(kit)
      const newOwner = privateKeyToAccount(randomPrivateKey()).address
      const context = { module: ownershipAddress, account, sequence: 4n, number: 1n }
      const signature = await guardian.signTypedData(
        recoveryTypedData([{ kind: 'eoa', address: newOwner }], context),
      )
      const recovery = {
        ...{ sequence: '4', number: '1', newOwners: [{ address: newOwner }] },
        guardians: { members: [guardian.address], threshold: 1, delay: 3 * 86_400 },
        signatures: [{ guardian: guardian.address, signature }],
      }
      const open = async (url: string) => {
        await page.goto(url)
        await page.getByText('Or paste its text').click()
        await page.getByLabel('Text of the recovery kit').fill(kit)
        await page.getByText('The address matches the content of the kit.').waitFor()
        await page.getByLabel('Get this account back with my guardians').check()
      }
      /** The file takes a key that pays; the page of the service does not. */
      const openFile = async (signed: string) => {
        await open(import.meta.resolve('@lanyard/recovery/dist/recovery.html'))
        await page.getByLabel('A private key or twelve words pay').check()
        await page.getByLabel('Private key or twelve words of the sender').fill(payer)
        await page.getByLabel('What your guardians or you signed').fill(signed)
      }
      await openFile(JSON.stringify(recovery))
      await page.getByRole('button', { name: 'Check the owners on Local 1' }).click()
      await page.getByText('It has guardians.').waitFor()
      await page.getByText('The recovery that you entered can be started.').waitFor()
      await page.getByRole('button', { name: 'Start the recovery on Local 1' }).click()
      await page.getByRole('alert').filter({ hasText: newOwner }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Yes, start it on Local 1' }).click()
      await page.getByText('Started on Local 1.').waitFor()
      await page.getByText('A recovery runs. It can be executed from').waitFor()
      await page.screenshot({
        path: fileURLToPath(new URL('../artifacts/recovery-owners.png', import.meta.url)),
        fullPage: true,
      })
      expect(await findBarriers(page)).toEqual([])
      // A passkey signs on its domain only, where no key is taken.
      await open(`${service().url}/recovery`)
      await page.getByLabel('Only sign here').check()
      await page.getByRole('button', { name: 'Check the owners on Local 1' }).click()
      await page.getByRole('button', { name: 'Sign and cancel the recovery on Local 1' }).click()
      await page.getByText('Signed for Local 1. Nothing was sent.').waitFor()
      await openFile(await page.getByLabel('What your guardians or you signed').inputValue())
      // The same signature holds on the other networks.
      for (const name of ['Local 1', 'Local 2']) {
        await page.getByRole('button', { name: `Check the owners on ${name}` }).click()
        await page.getByRole('button', { name: `Apply the change on ${name}` }).click()
        await page.getByRole('button', { name: `Yes, apply it on ${name}` }).click()
        await page.getByText(`Applied on ${name}.`).waitFor()
      }
      await page.getByText('No recovery runs.').first().waitFor()
    })
  },
  async () => {
    await buildIfStale()
    return startService({ ACCOUNT_MODULES: 'ownership' })
  },
)
