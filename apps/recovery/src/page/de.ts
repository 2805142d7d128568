/** The German of the page, by the English (`t` in words.ts, and `data-t` in page.html). */
export const de: Readonly<Record<string, string>> = {
  'Recover your account': 'Dein Konto wiederherstellen',
  'For the day your phone is lost, or the wallet is gone. You need your recovery kit, and something that signs: your twelve words, a passkey or another wallet.':
    'Für den Tag, an dem dein Telefon verloren oder die Wallet nicht mehr da ist. Du brauchst dein Wiederherstellungs-Kit und etwas, das signiert: deine zwölf Wörter, einen Passkey oder eine andere Wallet.',
  'This page needs no service. It talks to the networks only, and what you enter never leaves it.':
    'Diese Seite braucht keinen Dienst. Sie spricht nur mit den Netzwerken, und was du eingibst, verlässt sie nie.',
  'Save this page beside your recovery kit': 'Diese Seite neben dem Wiederherstellungs-Kit speichern',
  'Open your recovery kit': 'Öffne dein Wiederherstellungs-Kit',
  'The file that you saved in the wallet under Protection. It holds no secret. It tells this page which account is yours, and on which networks.':
    'Die Datei, die du in der Wallet unter Schutz gespeichert hast. Sie enthält kein Geheimnis. Sie sagt dieser Seite, welches Konto dir gehört und in welchen Netzwerken.',
  'Recovery kit (a file)': 'Wiederherstellungs-Kit (eine Datei)',
  'Or paste its text': 'Oder füge seinen Text ein',
  'Text of the recovery kit': 'Text des Wiederherstellungs-Kits',
  'Say what to do': 'Sag, was geschehen soll',
  'What do you want?': 'Was möchtest du?',
  'Move everything to an address of mine': 'Alles an eine Adresse von mir senden',
  'Get this account back with my guardians, or apply a change that was signed':
    'Dieses Konto mit meinen Wächtern zurückbekommen oder eine signierte Änderung anwenden',
  'Address that gets everything, on every network': 'Adresse, die alles bekommt, in jedem Netzwerk',
  'What your guardians or you signed, as text': 'Was deine Wächter oder du signiert haben, als Text',
  'Paste all of it, from the first bracket to the last. Without it, you still see who owns the account and what runs.':
    'Füge alles ein, von der ersten Klammer bis zur letzten. Ohne den Text siehst du trotzdem, wem das Konto gehört und was läuft.',
  'How do you sign?': 'Womit signierst du?',
  'How do you sign, to cancel a recovery?': 'Womit signierst du, um eine Wiederherstellung abzubrechen?',
  'My twelve words, or a private key': 'Meine zwölf Wörter oder ein privater Schlüssel',
  'A passkey of the kit': 'Ein Passkey aus dem Kit',
  'Another passkey, added after the kit was saved':
    'Ein anderer Passkey, der nach dem Speichern des Kits dazukam',
  'A wallet in this browser': 'Eine Wallet in diesem Browser',
  'The twelve words, in their order': 'Die zwölf Wörter, in ihrer Reihenfolge',
  'The account’s passkeys work on {domain} only. This page is here: {here}.':
    'Die Passkeys des Kontos funktionieren nur auf {domain}. Diese Seite ist hier: {here}.',
  'a file on this computer': 'eine Datei auf diesem Computer',
  'No browser offers a passkey to another domain. Your ways out:':
    'Kein Browser bietet einen Passkey einer anderen Domain an. Deine Auswege:',
  'Sign with your twelve words, or with another owner that is no passkey.':
    'Signiere mit deinen zwölf Wörtern oder mit einem anderen Inhaber, der kein Passkey ist.',
  'While the service runs, open its page at /recovery.':
    'Solange der Dienst läuft, öffne seine Seite unter /recovery.',
  'The holder of the domain can put this one file there, on any static host with HTTPS.':
    'Wem die Domain gehört, kann diese eine Datei dort ablegen, auf jedem Webserver mit HTTPS.',
  'If the domain has no holder any more: on your own computer, map it to 127.0.0.1 in the hosts file, and serve this file there with a certificate that the computer trusts.':
    'Wenn die Domain niemandem mehr gehört: Leite sie auf deinem eigenen Computer in der hosts-Datei auf 127.0.0.1, und liefere diese Datei dort mit einem Zertifikat aus, dem der Computer vertraut.',
  'Who pays the network fees?': 'Wer zahlt die Netzwerkgebühren?',
  'A wallet in this browser pays': 'Eine Wallet in diesem Browser zahlt',
  'A private key or twelve words pay': 'Ein privater Schlüssel oder zwölf Wörter zahlen',
  'The account itself should pay': 'Das Konto selbst soll zahlen',
  'The account pays. A private key sends it, and gets the fee back':
    'Das Konto zahlt. Ein privater Schlüssel sendet es und bekommt die Gebühr zurück',
  'The account pays. A bundler sends it': 'Das Konto zahlt. Ein Bundler sendet es',
  'Some coins are kept for the fee, and what is left of them can be moved on a later visit. Only for moving everything.':
    'Etwas Guthaben wird für die Gebühr zurückbehalten. Was davon übrig bleibt, kannst du bei einem späteren Besuch bewegen. Nur wenn alles gesendet wird.',
  'Private key or twelve words of the sender': 'Privater Schlüssel oder zwölf Wörter des Senders',
  'Any account with some coins of each network. It need not own your account.':
    'Irgendein Konto mit etwas Guthaben in jedem Netzwerk. Es muss nicht Inhaber deines Kontos sein.',
  'Open your recovery kit first.': 'Öffne zuerst dein Wiederherstellungs-Kit.',
  'Do it, network by network': 'Tu es, Netzwerk für Netzwerk',
  'Looking changes nothing. Before anything moves or gets another owner, you are asked once more.':
    'Nachsehen ändert nichts. Bevor etwas bewegt wird oder einen anderen Inhaber bekommt, wirst du noch einmal gefragt.',
  'Check all networks': 'In allen Netzwerken nachsehen',
  '{done} of {total} networks need nothing more': 'In {done} von {total} Netzwerken ist nichts mehr zu tun',
  'The address matches the content of the kit.': 'Die Adresse passt zum Inhalt des Kits.',
  Account: 'Konto',
  'Networks: {names}. They are filled in below.': 'Netzwerke: {names}. Sie sind unten eingetragen.',

  'Not checked yet': 'Noch nicht nachgesehen',
  'Working…': 'Einen Moment…',
  'Nothing to do': 'Nichts zu tun',
  'Ready for you': 'Bereit für dich',
  Waiting: 'Wartet',
  Done: 'Fertig',
  'Needs you': 'Braucht dich',
  No: 'Nein',
  Connection: 'Verbindung',
  'RPC of {name}': 'RPC von {name}',
  'Enter the RPC address of {name} under “Connection”.':
    'Gib die RPC-Adresse von {name} unter „Verbindung“ ein.',
  'Further tokens on {name} (addresses)': 'Weitere Token in {name} (Adressen)',
  'Further tokens': 'Weitere Token',
  'A token is missing here': 'Hier fehlt ein Token',
  'Bundler URL for {name}': 'Adresse eines Bundlers für {name}',
  'Check {name}': 'In {name} nachsehen',
  'Sign and move on {name}': 'In {name} signieren und senden',
  'Yes, move it on': 'Ja, senden in',
  'Something has changed: check again.': 'Etwas hat sich geändert: Sieh noch einmal nach.',
  'Will be moved:': 'Wird gesendet:',
  'There is nothing to move now.': 'Jetzt ist nichts zu senden.',
  'requests the withdrawal of {what}': 'fordert die Auszahlung an: {what}',
  'The account is not deployed here yet; that is done first.':
    'Das Konto ist hier noch nicht eingerichtet. Das geschieht zuerst.',
  'Everything listed above goes to this address. It cannot be brought back, so compare all of it.':
    'Alles, was oben steht, geht an diese Adresse. Es lässt sich nicht zurückholen, also vergleiche sie ganz.',
  'Done on {name}.': 'Fertig in {name}.',
  'Transaction {hash}': 'Transaktion {hash}',
  'requested the withdrawal of {what}': 'Auszahlung angefordert: {what}',
  'moved {what}': 'gesendet: {what}',
  '{what} cannot be moved: {reason}': '{what} lässt sich nicht senden: {reason}',
  '{amount} kept for gas': '{amount}, für Gebühren zurückbehalten',
  '{amount} of the combined balance': '{amount} des Gesamtguthabens',
  '{what}: can be withdrawn from about {time} on.': '{what}: Auszahlung ab etwa {time} möglich.',
  '{what}: can be withdrawn from {time} on.': '{what}: Auszahlung ab {time} möglich.',

  'Check the owners on {name}': 'Inhaber in {name} nachsehen',
  'Apply the change on {name}': 'Änderung in {name} anwenden',
  'Start the recovery on {name}': 'Wiederherstellung in {name} beginnen',
  'Execute the recovery on {name}': 'Wiederherstellung in {name} abschließen',
  'Sign and cancel the recovery on {name}': 'Signieren und Wiederherstellung in {name} abbrechen',
  'It cannot be taken back. Compare each whole address.':
    'Das lässt sich nicht zurücknehmen. Vergleiche jede Adresse ganz.',
  'Yes, apply it on': 'Ja, anwenden in',
  'Yes, start it on': 'Ja, beginnen in',
  'Yes, execute it on': 'Ja, abschließen in',
  'Applied on {name}.': 'Angewendet in {name}.',
  'Started on {name}.': 'Begonnen in {name}.',
  'Executed on {name}.': 'Abgeschlossen in {name}.',
  'Cancelled on {name}.': 'Abgebrochen in {name}.',
  'Days to wait: {days}. Then the only owners are: {owners}.':
    'Wartezeit in Tagen: {days}. Dann sind die einzigen Inhaber: {owners}.',
  'The only owners will be: {owners}. All session keys end.':
    'Die einzigen Inhaber werden sein: {owners}. Alle Sitzungsschlüssel enden.',
  'Your signature is in the field of step 2. Apply it on every other network of the account, too.':
    'Deine Signatur steht im Feld von Schritt 2. Wende sie auch in jedem anderen Netzwerk des Kontos an.',
  'Owners: {owners}.': 'Inhaber: {owners}.',
  'It has guardians.': 'Es hat Wächter.',
  'It has no guardians.': 'Es hat keine Wächter.',
  'A recovery runs. It can be executed from {time} on.':
    'Eine Wiederherstellung läuft. Sie lässt sich ab {time} abschließen.',
  'A recovery is ready: anyone can execute it. Its delay ended on {time}.':
    'Eine Wiederherstellung ist bereit: Jeder kann sie abschließen. Ihre Wartezeit endete am {time}.',
  'No recovery runs.': 'Es läuft keine Wiederherstellung.',
  'Can be applied: {change}': 'Kann angewendet werden: {change}',
  'Changes made here so far: {count}. What you pasted is applied already, or an earlier one is missing.':
    'Bisherige Änderungen hier: {count}. Was du eingefügt hast, ist schon angewendet, oder eine frühere fehlt.',
  'The recovery that you entered waits for an earlier change.':
    'Die eingegebene Wiederherstellung wartet auf eine frühere Änderung.',
  'The recovery that you entered can be started.': 'Die eingegebene Wiederherstellung kann beginnen.',
  'The recovery that you entered is the one that runs.':
    'Die eingegebene Wiederherstellung ist die, die läuft.',
  'The recovery that you entered is ready.': 'Die eingegebene Wiederherstellung ist bereit.',
  'Another recovery runs than the one that you entered.':
    'Es läuft eine andere Wiederherstellung als die eingegebene.',
  'The recovery that you entered was executed: its owners are the only ones.':
    'Die eingegebene Wiederherstellung ist abgeschlossen: Ihre Inhaber sind die einzigen.',
  'The recovery that you entered does not count any more: an owner changed something since, its guardians took it back, or its time is over.':
    'Die eingegebene Wiederherstellung gilt nicht mehr: Ein Inhaber hat seither etwas geändert, die Wächter haben sie zurückgenommen, oder ihre Zeit ist abgelaufen.',
  'the passkey {key}': 'der Passkey {key}',
  'adds the owner {owner}': 'fügt den Inhaber {owner} hinzu',
  'removes the owner {owner}': 'entfernt den Inhaber {owner}',
  'replaces the owner {old} by {added}': 'ersetzt den Inhaber {old} durch {added}',
  'removes all guardians': 'entfernt alle Wächter',
  'sets guardians: {threshold} of {members}; days to wait: {days}':
    'setzt Wächter: {threshold} von {members}; Wartezeit in Tagen: {days}',
  'asks for the signatures of {threshold} owners': 'verlangt die Signaturen von {threshold} Inhabern',
  'ends all session keys': 'beendet alle Sitzungsschlüssel',
  'cancels the recovery that runs': 'bricht die laufende Wiederherstellung ab',

  'This is not a recovery kit.': 'Das ist kein Wiederherstellungs-Kit.',
  'Choose the file that you saved in the wallet under Protection, as it was saved.':
    'Wähle die Datei, die du in der Wallet unter Schutz gespeichert hast, so wie sie gespeichert wurde.',
  'This network cannot be reached.': 'Dieses Netzwerk ist nicht erreichbar.',
  'Check your internet connection and try again. If it stays so, enter another RPC address of the network under “Connection”: its website names some.':
    'Prüfe deine Internetverbindung und versuche es noch einmal. Bleibt es dabei, gib unter „Verbindung“ eine andere RPC-Adresse des Netzwerks ein: Seine Website nennt welche.',
  'This key does not own the account here.': 'Dieser Schlüssel ist hier kein Inhaber des Kontos.',
  'Choose another way to sign in step 2. Each network has its own owners.':
    'Wähle in Schritt 2, womit du sonst signierst. Jedes Netzwerk hat eigene Inhaber.',
  'Several owners must sign together here.': 'Hier müssen mehrere Inhaber zusammen signieren.',
  'This page signs for one owner. Use a Safe tool with the address of the account.':
    'Diese Seite signiert für einen Inhaber. Nimm ein Safe-Werkzeug mit der Adresse des Kontos.',
  'No passkey signed.': 'Kein Passkey hat signiert.',
  'The prompt was closed, or this device does not have the passkey. Try again, or choose another way to sign in step 2.':
    'Die Abfrage wurde geschlossen, oder dieses Gerät hat den Passkey nicht. Versuche es noch einmal, oder wähle in Schritt 2, womit du sonst signierst.',
  'The account has too few coins for the fee.': 'Das Konto hat zu wenig Guthaben für die Gebühr.',
  'Let a wallet or another key pay: choose it in step 2.':
    'Lass eine Wallet oder einen anderen Schlüssel zahlen: Wähle das in Schritt 2.',
  'On this network, the account has no guardians’ contract.':
    'In diesem Netzwerk hat das Konto keinen Contract für Wächter.',
  'You can move everything out instead: choose it in step 2.':
    'Du kannst stattdessen alles senden: Wähle das in Schritt 2.',
  'The text in step 2 is nothing that was signed.': 'Der Text in Schritt 2 ist nichts, was signiert wurde.',
  'Paste it as you got it, from the first bracket to the last.':
    'Füge ihn ein, wie du ihn bekommen hast, von der ersten Klammer bis zur letzten.',
  'What was signed is for another state of the account.':
    'Was signiert wurde, gilt für einen anderen Stand des Kontos.',
  'An owner has changed something since, or an earlier change is missing here. Ask for the latest.':
    'Ein Inhaber hat seither etwas geändert, oder hier fehlt eine frühere Änderung. Frag nach dem Neuesten.',
  'Other guardians count on this network.': 'In diesem Netzwerk zählen andere Wächter.',
  'The guardians that count here must sign.': 'Die Wächter, die hier zählen, müssen signieren.',
  'The guardians have signed a newer recovery.': 'Die Wächter haben eine neuere Wiederherstellung signiert.',
  'Ask them for the latest one, and paste it in step 2.':
    'Frag sie nach der neuesten, und füge sie in Schritt 2 ein.',
  'This recovery does not run here.': 'Diese Wiederherstellung läuft hier nicht.',
  'Check the network again: it was cancelled, replaced or finished.':
    'Sieh in diesem Netzwerk noch einmal nach: Sie wurde abgebrochen, ersetzt oder abgeschlossen.',
  'The waiting time is not over.': 'Die Wartezeit ist noch nicht vorbei.',
  'Come back then. Nothing else is left to do.': 'Komm dann wieder. Sonst ist nichts zu tun.',
  'The network did not do it.': 'Das Netzwerk hat es nicht ausgeführt.',
  'Check the network again to see what it has. The sender needs some coins of this network for the fee.':
    'Sieh noch einmal nach, was das Netzwerk hat. Der Sender braucht etwas Guthaben dieses Netzwerks für die Gebühr.',
  'This did not work.': 'Das hat nicht funktioniert.',
  'Try again. Nothing was lost.': 'Versuche es noch einmal. Es ging nichts verloren.',
  'What exactly happened': 'Was genau geschehen ist',
  'Enter the address that gets everything in step 2.': 'Gib in Schritt 2 die Adresse ein, die alles bekommt.',
  Destination: 'Ziel',
  '{name}: {text} is not an address, or its checksum is wrong.':
    '{name}: {text} ist keine Adresse, oder ihre Prüfsumme ist falsch.',
  'Your twelve words': 'Deine zwölf Wörter',
  Sender: 'Sender',
  '{name}: enter twelve words, or 0x and 64 hex digits.':
    '{name}: Gib zwölf Wörter ein oder 0x und 64 Hex-Ziffern.',
  'This kit names no passkey. Choose another way to sign in step 2.':
    'Dieses Kit nennt keinen Passkey. Wähle in Schritt 2, womit du sonst signierst.',
  'Enter the URL of a bundler for this network.': 'Gib die Adresse eines Bundlers für dieses Netzwerk ein.',
  'No bundler can send this. Choose a wallet or a key that pays in step 2.':
    'Das kann kein Bundler senden. Wähle in Schritt 2 eine Wallet oder einen Schlüssel, der zahlt.',
  'This browser has no wallet. Most do not work in a saved file: choose a key in step 2.':
    'Dieser Browser hat keine Wallet. Die meisten funktionieren in einer gespeicherten Datei nicht: Wähle in Schritt 2 einen Schlüssel.',
  'This browser has no wallet. Choose another way in step 2.':
    'Dieser Browser hat keine Wallet. Wähle in Schritt 2 einen anderen Weg.',
  'A website shows this page, so it takes no words and no private key.':
    'Eine Website zeigt diese Seite, deshalb nimmt sie keine Wörter und keinen privaten Schlüssel an.',
  'Who runs the website could change the page and keep them. Sign here with a passkey or a wallet. For words or a key, save this page, compare its SHA-256 with the published one, and open the file from your disk.':
    'Wer die Website betreibt, könnte die Seite ändern und deine Wörter oder deinen Schlüssel behalten. Signiere hier mit einem Passkey oder einer Wallet. Für Wörter oder einen Schlüssel speichere diese Seite, vergleiche ihren SHA-256 mit dem veröffentlichten und öffne die Datei von deiner Festplatte.',
  'Save its SHA-256': 'Ihren SHA-256 speichern',
  'Send what I signed on a website': 'Senden, was ich auf einer Website signiert habe',
  'What the website gave you, as text': 'Was dir die Website gegeben hat, als Text',
  'Only sign here. My key pays, in the saved file':
    'Hier nur signieren. Mein Schlüssel zahlt in der gespeicherten Datei',
  'What you signed: no secret': 'Was du signiert hast: kein Geheimnis',
  'Open the saved file of this page, choose “Send what I signed on a website”, and paste the text. It is valid until the account does something else on that network.':
    'Öffne die gespeicherte Datei dieser Seite, wähle „Senden, was ich auf einer Website signiert habe“ und füge den Text ein. Er gilt, bis das Konto in diesem Netzwerk etwas anderes tut.',
  'Send it on {name}': 'Auf {name} senden',
  'The text has nothing for {name}.': 'Der Text enthält nichts für {name}.',
  'This is not what a recovery page gave out. Paste all of it.':
    'Das hat keine Wiederherstellungsseite ausgegeben. Füge den ganzen Text ein.',
  'This was signed for another account: {account}.': 'Das wurde für ein anderes Konto signiert: {account}.',
  'This text is not signed: sending it would be your signature. Nothing was sent.':
    'Dieser Text ist nicht signiert: Ihn zu senden wäre deine Signatur. Es wurde nichts gesendet.',
  'Signed for {name}. Nothing was sent: the text is below.':
    'Für {name} signiert. Es wurde nichts gesendet: Der Text steht unten.',
  'Signed for {name}. Nothing was sent.': 'Für {name} signiert. Es wurde nichts gesendet.',
  'Your signature is in the field of step 2. Paste it in the saved file, where your key pays.':
    'Deine Signatur steht im Feld von Schritt 2. Füge sie in der gespeicherten Datei ein, in der dein Schlüssel zahlt.',
  'Nothing is left to sign here. Enter the same text in the saved file, where your key pays.':
    'Hier bleibt nichts zu signieren. Gib denselben Text in der gespeicherten Datei ein, in der dein Schlüssel zahlt.',
  'The wallet named no account.': 'Die Wallet hat kein Konto genannt.',
  'Bring an exported key': 'Einen exportierten Schlüssel mitbringen',
  'For a key that you exported from another service. It lets your address run Lanyard’s contract, or moves everything to a new account.':
    'Für einen Schlüssel, den du aus einem anderen Dienst exportiert hast. Damit nutzt deine Adresse den Vertrag von Lanyard, oder alles zieht in ein neues Konto um.',
  'A website shows this page. Do not enter a key.':
    'Eine Website zeigt diese Seite. Gib keinen Schlüssel ein.',
  'Who runs the website could change the page and keep your key. Save the file, compare its hash with the published one, and open it from your disk.':
    'Wer die Website betreibt, könnte die Seite ändern und deinen Schlüssel behalten. Speichere die Datei, vergleiche ihren Hash mit dem veröffentlichten und öffne sie von deiner Festplatte.',
  'This page connects to the networks below only. It stores nothing. Before you enter a key, compare the file’s SHA-256 with the published one, and close the page when you are done.':
    'Diese Seite verbindet sich nur mit den Netzwerken unten. Sie speichert nichts. Vergleiche den SHA-256 der Datei mit dem veröffentlichten, bevor du einen Schlüssel eingibst, und schließe die Seite danach.',
  'Who gave you the key may have kept a copy. A copy can still take what this address holds, also after a delegation. If you do not trust them any more, move everything to a new account.':
    'Wer dir den Schlüssel gab, kann eine Kopie behalten haben. Eine Kopie kann weiterhin nehmen, was diese Adresse hält, auch nach einer Delegation. Wenn du ihm nicht mehr vertraust, verschiebe alles in ein neues Konto.',
  'Enter the key': 'Gib den Schlüssel ein',
  'Private key, or 12 or 24 words': 'Privater Schlüssel oder 12 oder 24 Wörter',
  'Keep this address, and let it run Lanyard’s contract':
    'Diese Adresse behalten und den Vertrag von Lanyard nutzen',
  'Move everything to a new account of mine': 'Alles in ein neues Konto von mir verschieben',
  'Further tokens (addresses)': 'Weitere Token (Adressen)',
  'What is not a coin or a token of the list stays: NFTs, deposits in other contracts, approvals.':
    'Was weder Guthaben noch ein Token der Liste ist, bleibt: NFTs, Einlagen in anderen Verträgen, Freigaben.',
  'Looking changes nothing. Before anything is signed or sent, you are asked once more.':
    'Nachsehen ändert nichts. Bevor etwas signiert oder gesendet wird, wirst du noch einmal gefragt.',
  'Enter the key in step 1: 64 hex digits, or 12 or 24 words.':
    'Gib in Schritt 1 den Schlüssel ein: 64 Hex-Ziffern oder 12 oder 24 Wörter.',
  'This key is for': 'Dieser Schlüssel gehört zu',
  'If that is not your address, a digit or a word is wrong.':
    'Wenn das nicht deine Adresse ist, stimmt eine Ziffer oder ein Wort nicht.',
  'This is no key: expected 64 hex digits, or 12 or 24 words.':
    'Das ist kein Schlüssel: erwartet werden 64 Hex-Ziffern oder 12 oder 24 Wörter.',
  'the contract of {name}': 'den Vertrag von {name}',
  'Lanyard’s contract reads no storage, so nothing collides. What the other one stored comes back if you return to it.':
    'Der Vertrag von Lanyard liest keinen Speicher, also stört nichts. Was der andere gespeichert hat, gilt wieder, wenn du zu ihm zurückkehrst.',
  '{name} keeps nothing in your account’s storage.': '{name} hält nichts im Speicher deines Kontos.',
  '{name} keeps its data in slots of its own (ERC-7201).':
    '{name} hält seine Daten in eigenen Plätzen (ERC-7201).',
  'This contract is not on our list, and may keep data in any slot.':
    'Dieser Vertrag steht nicht auf unserer Liste und kann Daten an jedem Platz halten.',
  'Only sign for {name}': 'Nur für {name} signieren',
  'Sign and send on {name}': 'Auf {name} signieren und senden',
  '{name}: this address is a contract, which no key can change.':
    '{name}: Diese Adresse ist ein Vertrag, den kein Schlüssel ändern kann.',
  'It holds {amount} {symbol}.': 'Sie hält {amount} {symbol}.',
  'It runs Lanyard’s contract already.': 'Sie nutzt den Vertrag von Lanyard schon.',
  'It runs {delegate} now, and would run Lanyard’s instead.':
    'Sie nutzt jetzt {delegate} und würde stattdessen den von Lanyard nutzen.',
  'It has no coins for a fee. Sign only, and paste the text in the wallet under “Bring your address”.':
    'Sie hat kein Guthaben für eine Gebühr. Signiere nur, und füge den Text in der Wallet unter „Bring deine Adresse mit“ ein.',
  'A few coins stay for the fees.': 'Etwas Guthaben bleibt für die Gebühren.',
  'From then on, your address runs this contract on {name}. Your key stays the only one that can sign for it.':
    'Von da an nutzt deine Adresse auf {name} diesen Vertrag. Nur dein Schlüssel kann weiterhin für sie signieren.',
  'Yes, sign for': 'Ja, signieren für',
  'Yes, send it on': 'Ja, senden auf',
  'Signed. It is valid until this address sends a transaction on {name}.':
    'Signiert. Es gilt, bis diese Adresse auf {name} eine Transaktion sendet.',
  'Signed delegation for {name}: no secret': 'Signierte Delegation für {name}: kein Geheimnis',
  'Save it as a file': 'Als Datei speichern',
  'This is the address of the key itself. Enter that of your new account.':
    'Das ist die Adresse des Schlüssels selbst. Gib die deines neuen Kontos ein.',
}
