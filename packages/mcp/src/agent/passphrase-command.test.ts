import { expect, test } from 'vitest'
import { readCommand, readPassphrase } from './passphrase-command.ts'

test.each<[string, readonly string[]]>([
  ['secret-tool lookup  service lanyard', ['secret-tool', 'lookup', 'service', 'lanyard']],
  ["security find -l 'my agent' -w", ['security', 'find', '-l', 'my agent', '-w']],
  ['"/opt/my keys/get" --name="a \\"b\\""', ['/opt/my keys/get', '--name=a "b"']],
  ['get a\\ b', ['get', 'a b']],
  ["get '$HOME;rm' ''", ['get', '$HOME;rm', '']],
])('default: %s', (text, words) => {
  expect(readCommand(text)).toEqual(words)
})

test.each(['', '  ', "get 'a", 'get "a', 'get a\\'])('error: %j', (text) => {
  expect(() => readCommand(text)).toThrow('is no command')
})

test('behavior: a parameter with spaces arrives whole', async () => {
  const command = readCommand(`'${process.execPath}' -e "console.log(process.argv[1])" 'two words'`)
  expect(await readPassphrase(command)).toBe('two words')
})
