import { expect, test } from 'vitest'
import { originForm } from './read-request.ts'

test.each([
  ['/user?username=a', '/user?username=a'],
  ['//user', '//user'],
  ['http://lanyard.example/user?username=a#b', '/user?username=a'],
  ['http://user:password@lanyard.example', '/'],
  ['http://[', undefined],
  ['*', undefined],
  ['', undefined],
])('originForm: %s', (target, expected) => expect(originForm(target)).toBe(expected))
