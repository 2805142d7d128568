// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest'
import { rememberRequester, requesterOf } from './requesters.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const hash = (digit: number) => `0x${String(digit).padStart(64, '0')}` as const

beforeEach(() => localStorage.clear())

describe('rememberRequester', () => {
  test('default: the page of each operation, by account', () => {
    rememberRequester(account, hash(1), 'https://shop.example')
    rememberRequester(account, hash(2), 'https://game.example')
    expect(requesterOf(account, hash(1))).toBe('https://shop.example')
    expect(requesterOf(account, hash(3))).toBeUndefined()
    expect(requesterOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', hash(1))).toBeUndefined()
  })

  test('behavior: keeps the last 200', () => {
    for (let number = 0; number <= 200; number++)
      rememberRequester(account, hash(number), 'https://a.example')
    expect(requesterOf(account, hash(0))).toBeUndefined()
    expect(requesterOf(account, hash(200))).toBe('https://a.example')
  })

  test('behavior: whatever else is stored is ignored', () => {
    localStorage.setItem(`lanyard.requesters.${account.toLowerCase()}`, '[1,{"origin":2}]')
    expect(requesterOf(account, hash(1))).toBeUndefined()
    localStorage.setItem(`lanyard.requesters.${account.toLowerCase()}`, 'no')
    expect(requesterOf(account, hash(1))).toBeUndefined()
  })
})
