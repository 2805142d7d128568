// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { friend, renderWallet, withFakeService } from '../../test/render-wallet.tsx'
import { removalRisks } from '../owners/removal-risks.ts'
import { toOwnership } from '../owners/use-owners.ts'
import { AddOwner } from '../screens/owners/add-owner.tsx'
import { OwnerList } from '../screens/owners/owner-list.tsx'
import type { KeyCandidate, ListedOwner, SignerKind } from './signer-kind.ts'
import { signerKinds } from './signer-kinds.ts'

withFakeService()

/** A kind that no other file of the wallet knows. */
const card: SignerKind<KeyCandidate> = {
  kind: 'card',
  label: 'Bank card',
  signsHere: false,
  lastOne: { title: 'This is the last card.', text: 'Order another one first.' },
  additions: [
    {
      value: 'card',
      label: 'Card',
      Form: ({ onChange }) => (
        <button
          type="button"
          onClick={() => onChange({ kind: 'add', candidate: { kind: 'eoa', address: friend } })}
        >
          Hold the card to the phone
        </button>
      ),
    },
  ],
  toCandidate: ({ address }) => ({ kind: 'eoa', address }),
  store: ({ address }) => ({ address, credentialId: '' }),
  readStored: () => undefined,
  toRequest: ({ address }) => ({ ownerAddress: address }),
  nameOwner: () => ({ address: friend }),
}

beforeEach(() => void signerKinds.push(card))
afterEach(() => void signerKinds.splice(signerKinds.indexOf(card), 1))

/** The owners as the service lists them, one of which is a card on one of two networks. */
function listedOwners() {
  const listed: ListedOwner = { address: friend, kind: 'card' as never } // the service lists no such kind yet
  return toOwnership([
    { network: 1, status: 'up', owners: [listed] },
    { network: 2, status: 'up', owners: [] },
  ])
}

test('behavior: an owner of a third kind has its name, and can be added where it is missing', async () => {
  const ownership = listedOwners()
  const onChange = vi.fn()
  const { user } = renderWallet(
    <OwnerList ownership={ownership} networks={[]} onChange={onChange} onReplace={vi.fn()} />,
  )
  const row = within(screen.getByRole('listitem'))
  expect(row.getByRole('heading', { name: 'Bank card' })).toBeDefined()
  await user.click(row.getByRole('button', { name: 'Add it on the other networks' }))
  expect(onChange).toHaveBeenCalledWith({ kind: 'add', candidate: { kind: 'eoa', address: friend } })
})

test('behavior: a third kind is asked for by a form of its own', async () => {
  const onChange = vi.fn()
  const { user } = renderWallet(<AddOwner onChange={onChange} />)
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Passkey',
    'Recovery key',
    'Address',
    'Card',
  ])
  await user.click(screen.getByRole('tab', { name: 'Card' }))
  await user.click(screen.getByRole('button', { name: 'Hold the card to the phone' }))
  expect(onChange).toHaveBeenCalledWith({ kind: 'add', candidate: { kind: 'eoa', address: friend } })
})

test('behavior: a third kind has a warning of its own before its last owner leaves', () => {
  const ownership = listedOwners()
  const [owner] = ownership.owners
  if (!owner) throw new TypeError('The list has one owner')
  expect(removalRisks(owner, ownership, undefined)).toEqual([card.lastOne])
})
