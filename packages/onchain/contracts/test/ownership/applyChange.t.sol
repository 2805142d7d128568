// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SESSIONS} from "../../interfaces/IEpochs.sol";
import {GuardianSet, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {Sessions} from "../../session-keys/Sessions.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

contract ApplyChangeTest is OwnershipTest {
    function test_addOwner() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "owner");
        assertEq(_sequence(), 1, "sequence");
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "pinned");
        assertEq(IOwnedSafe(account).getThreshold(), 1, "threshold");
    }

    function test_addOwner_passkey() public {
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        address signer = _signerOf(OTHER_PASSKEY);
        assertTrue(signer.code.length > 0, "created");
        assertTrue(_owns(account, signer), "owner");
        assertEq(
            pins.signerUntil(account, keccak256(_passkey(OTHER_PASSKEY).key)), type(uint48).max, "pinned"
        );
        // It signs the next one.
        bytes memory data = abi.encode(_eoa(OWNER_KEY));
        bytes32 hash = ownership.changeHash(account, 1, REMOVE, data);
        ownership.applyChange(account, 1, REMOVE, data, _signWithPasskey(signer, OTHER_PASSKEY, hash));
        assertTrue(!_owns(account, vm.addr(OWNER_KEY)), "removed");
    }

    function test_addOwner_again() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertEq(_sequence(), 2, "consumed");
    }

    function test_removeOwner_whoIsNone() public {
        _change(REMOVE, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertEq(_sequence(), 1, "consumed");
    }

    function test_removeOwner_inAnyPlace() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _change(ADD, abi.encode(_eoa(OTHER_OWNER_KEY)));
        _change(REMOVE, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertTrue(!_owns(account, vm.addr(NEW_OWNER_KEY)), "in the middle");
        assertTrue(_owns(account, vm.addr(OTHER_OWNER_KEY)), "others stay");
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        assertEq(pins.signerUntil(account, pin), block.timestamp + 1 days, "unpinned");
    }

    /// @dev The first passkey is in the shared signer, and is named by its key like any other.
    function test_replaceOwner_firstPasskey() public {
        bytes memory data = abi.encode(_passkey(PASSKEY), _passkey(OTHER_PASSKEY));
        bytes32 hash = ownership.changeHash(passkeyAccount, 0, REPLACE, data);
        ownership.applyChange(passkeyAccount, 0, REPLACE, data, _signWithPasskey(sharedSigner, PASSKEY, hash));
        assertTrue(!_owns(passkeyAccount, sharedSigner), "shared signer removed");
        assertTrue(_owns(passkeyAccount, _signerOf(OTHER_PASSKEY)), "new signer");
        // Added again, it gets a signer contract of its own.
        data = abi.encode(_passkey(PASSKEY));
        hash = ownership.changeHash(passkeyAccount, 1, ADD, data);
        ownership.applyChange(
            passkeyAccount, 1, ADD, data, _signWithPasskey(_signerOf(OTHER_PASSKEY), OTHER_PASSKEY, hash)
        );
        assertTrue(_owns(passkeyAccount, _signerOf(PASSKEY)), "signer contract");
        assertTrue(!_owns(passkeyAccount, sharedSigner), "not the shared signer");
    }

    function test_addOwner_firstPasskeyAgain() public {
        bytes memory data = abi.encode(_passkey(PASSKEY));
        bytes32 hash = ownership.changeHash(passkeyAccount, 0, ADD, data);
        ownership.applyChange(passkeyAccount, 0, ADD, data, _signWithPasskey(sharedSigner, PASSKEY, hash));
        assertEq(IOwnedSafe(passkeyAccount).getOwners().length, 1, "it already is one");
    }

    /// @dev A network on which it is the same must not be stopped by it.
    function test_replaceOwner_byItself() public {
        _grant(_session());
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _eoa(OWNER_KEY)));
        assertEq(_sequence(), 1, "consumed");
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "stays");
        assertEq(sessionKeys.keysOf(account).length, 1, "nobody was replaced");
    }

    /// @dev The only owner, by the shared signer and by a signer contract of its own.
    function test_replaceOwner_passkeyByItself() public {
        bytes memory data = abi.encode(_passkey(PASSKEY), _passkey(PASSKEY));
        bytes32 hash = ownership.changeHash(passkeyAccount, 0, REPLACE, data);
        ownership.applyChange(passkeyAccount, 0, REPLACE, data, _signWithPasskey(sharedSigner, PASSKEY, hash));
        assertTrue(_owns(passkeyAccount, sharedSigner), "stays");
        assertEq(IOwnedSafe(passkeyAccount).getOwners().length, 1, "alone");
        assertEq(epochs.epochOf(passkeyAccount, SESSIONS), 0, "none was replaced");
        _change(REPLACE, abi.encode(_eoa(OWNER_KEY), _passkey(OTHER_PASSKEY)));
        data = abi.encode(_passkey(OTHER_PASSKEY), _passkey(OTHER_PASSKEY));
        hash = ownership.changeHash(account, 1, REPLACE, data);
        ownership.applyChange(
            account, 1, REPLACE, data, _signWithPasskey(_signerOf(OTHER_PASSKEY), OTHER_PASSKEY, hash)
        );
        assertTrue(_owns(account, _signerOf(OTHER_PASSKEY)), "stays");
    }

    function test_error_TooFewOwners() public {
        // SessionKeys is an owner, too, and does not count.
        assertTrue(_owns(account, address(sessionKeys)), "two owners");
        _refused(REMOVE, abi.encode(_eoa(OWNER_KEY)), _error(IOwnership.TooFewOwners.selector));
    }

    function test_error_WrongSequence() public {
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes memory signature = _sign(OWNER_KEY, 1, ADD, data);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 1, 0));
        ownership.applyChange(account, 1, ADD, data, signature);
        _change(ADD, data);
        ownership.applyChange(account, 1, ADD, data, signature);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 1, 2));
        ownership.applyChange(account, 1, ADD, data, signature);
    }

    function test_error_UnknownKind() public {
        _refused("addowner", "", abi.encodeWithSelector(IOwnership.UnknownKind.selector, bytes32("addowner")));
    }

    function test_error_InvalidOwner() public {
        Owner[9] memory refused = [
            _named(address(0)),
            _named(address(1)),
            _named(account),
            _named(address(ownership)),
            _named(address(sessionKeys)),
            _named(sharedSigner),
            Owner(0, abi.encodePacked(vm.addr(NEW_OWNER_KEY), uint8(0))),
            Owner(2, abi.encodePacked(vm.addr(NEW_OWNER_KEY))),
            Owner(1, abi.encodePacked(uint256(1), uint256(1), _verifiers()))
        ];
        for (uint256 i; i < refused.length; ++i) {
            _refused(
                ADD,
                abi.encode(refused[i]),
                abi.encodeWithSelector(IOwnership.InvalidOwner.selector, refused[i])
            );
        }
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        Owner memory unverified = Owner(1, abi.encodePacked(x, y, uint176(0)));
        _refused(
            ADD, abi.encode(unverified), abi.encodeWithSelector(IOwnership.InvalidOwner.selector, unverified)
        );
    }

    function test_error_InvalidGuardians() public {
        GuardianSet[8] memory refused;
        for (uint256 i; i < 8; ++i) {
            refused[i] = _guardians();
        }
        refused[0].threshold = 0;
        refused[1].threshold = 4;
        refused[2].delay = 1 days - 1;
        refused[3].delay = 30 days + 1;
        (refused[4].members[0], refused[4].members[1]) = (refused[4].members[1], refused[4].members[0]);
        refused[5].members[1] = refused[5].members[0];
        refused[6].members = new address[](0);
        refused[7].members = new address[](17);
        for (uint160 i; i < 17; ++i) {
            refused[7].members[i] = address(i + 1);
        }
        for (uint256 i; i < 8; ++i) {
            bytes memory reason = abi.encodeWithSelector(IOwnership.InvalidGuardians.selector);
            _refused(SET_GUARDIANS, abi.encode(refused[i]), reason);
        }
    }

    function test_setGuardians_most() public {
        GuardianSet memory set = GuardianSet(new address[](16), 16, 30 days);
        for (uint160 i; i < 16; ++i) {
            set.members[i] = address(i + 1);
        }
        _setGuardians(set);
        assertTrue(ownership.stateOf(account).guardians == keccak256(abi.encode(set)), "set");
        _setGuardians(GuardianSet(new address[](0), 0, 0));
        assertTrue(ownership.stateOf(account).guardians == 0, "none");
    }

    function test_revokeSessions() public {
        _grant(_session());
        _change(REVOKE_SESSIONS, "");
        assertTrue(!_owns(account, address(sessionKeys)), "no owner");
        assertEq(sessionKeys.keysOf(account).length, 0, "revoked");
        _change(REVOKE_SESSIONS, "");
        assertEq(_sequence(), 2, "again");
    }

    /// @dev A thief of an owner's key may have granted any number: all of them end, and none comes back.
    function test_revokeSessions_thatAreMany() public {
        for (uint256 i = 1; i <= 33; ++i) {
            _grant(account, bytes32(i), _session());
        }
        _change(REVOKE_SESSIONS, "");
        assertTrue(!_owns(account, address(sessionKeys)), "no owner");
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(sessionKeys), 1);
        assertEq(sessionKeys.keysOf(account).length, 0, "none");
        for (uint256 i = 1; i <= 33; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, bytes32(i)));
            sessionKeys.sessionOf(account, bytes32(i));
        }
    }

    function test_error_UnsupportedAccount_withoutTheModule() public {
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes memory signature =
            _keySignature(OTHER_OWNER_KEY, ownership.changeHash(otherAccount, 0, ADD, data));
        vm.expectRevert(abi.encodeWithSelector(IOwnership.UnsupportedAccount.selector, otherAccount));
        ownership.applyChange(otherAccount, 0, ADD, data, signature);
    }

    function test_error_UnexpectedData() public {
        bytes32[2] memory kinds = [CANCEL, REVOKE_SESSIONS];
        for (uint256 i; i < 2; ++i) {
            _refused(kinds[i], hex"00", abi.encodeWithSelector(IOwnership.UnexpectedData.selector, kinds[i]));
        }
    }

    function _refused(bytes32 kind, bytes memory data, bytes memory reason) private {
        uint64 sequence = _sequence();
        bytes memory signature = _sign(OWNER_KEY, sequence, kind, data);
        vm.expectRevert(reason);
        ownership.applyChange(account, sequence, kind, data, signature);
    }
}
