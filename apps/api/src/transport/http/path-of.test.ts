import { expect, test } from 'vitest'
import { originForm, pathOf } from './path-of.ts'

test.each([
  ['/user', '/user'],
  ['/user?username=a/b?c', '/user'],
  ['/user#fragment', '/user'],
  ['//user', '//user'],
  ['/user/../networks', '/user/../networks'],
])('pathOf: %s', (target, path) => expect(pathOf(target)).toBe(path))

test.each([
  ['/user?username=a', '/user?username=a'],
  ['//user', '//user'],
  ['http://lanyard.example/user?username=a#b', '/user?username=a'],
  ['http://user:password@lanyard.example', '/'],
  ['http://[', undefined],
  ['*', undefined],
  ['', undefined],
])('originForm: %s', (target, expected) => expect(originForm(target)).toBe(expected))
