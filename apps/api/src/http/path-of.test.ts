import { expect, test } from 'vitest'
import { pathOf } from './path-of.ts'

test.each([
  ['/user', '/user'],
  ['/user?username=a/b?c', '/user'],
  ['/user#fragment', '/user'],
  ['//user', '//user'],
  ['/user/../networks', '/user/../networks'],
  ['http://lanyard.example/user?username=a', '/user'],
  ['http://[', 'http://['],
  ['*', '*'],
  ['', ''],
])('%s', (target, path) => expect(pathOf(target)).toBe(path))
