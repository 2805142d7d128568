import { expect, test, vi } from 'vitest'
import { answerLink, readAnswer } from './invitation.ts'

const guardian = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test('behavior: an answer stands after #, so no server sees the address; earlier links still work', () => {
  vi.stubGlobal('location', { origin: 'https://wallet.example' })
  const link = new URL(answerLink(guardian))
  expect(link.search).toBe('')
  expect(readAnswer(link)).toBe(guardian)
  expect(readAnswer(new URL(`https://wallet.example/guardians?add=${guardian}`))).toBe(guardian)
  expect(readAnswer(new URL('https://wallet.example/guardians#add=0x12'))).toBeUndefined()
  expect(readAnswer(new URL('https://wallet.example/guardians'))).toBeUndefined()
  vi.unstubAllGlobals()
})
