// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { readSession, type Session, writeSession } from './stored-session.ts'

afterEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

/** A session whose token says these times, in seconds from now. */
function sessionOf(issued: number, expires: number): Session {
  const now = Math.floor(Date.now() / 1_000)
  const claims = btoa(JSON.stringify({ iat: now + issued, exp: now + expires }))
  const token = `e30.${claims.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.c2ln`
  return { username: 'alice', account: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', token }
}
/** What a later tab of the browser starts with. */
const inLaterTab = () => {
  sessionStorage.clear()
  return readSession()
}

test('behavior: a session of an hour ends with its tab', () => {
  const session = sessionOf(0, 3_600)
  writeSession(session)
  expect(readSession()).toEqual(session)
  expect(inLaterTab()).toBeUndefined()
})

test('behavior: a longer session survives its tab until it expires, or until the person signs out', () => {
  const session = sessionOf(-10, 86_400)
  writeSession(session)
  expect(inLaterTab()).toEqual(session)
  writeSession(undefined)
  expect(inLaterTab()).toBeUndefined()
  writeSession(sessionOf(-90_000, -1))
  expect(inLaterTab()).toBeUndefined()
})

test('behavior: a token that is not a JWT stays in its tab', () => {
  writeSession({ ...sessionOf(0, 1), token: 'token' })
  expect(inLaterTab()).toBeUndefined()
})
