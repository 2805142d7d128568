// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

interface ISafeModules {
    function disableModule(address previous, address module) external;
    function enableModule(address module) external;
}

/// @notice Kinds of owners mixed, lists made long, modules disabled: by an owner, its thief, or by accident.
contract OwnershipOwnerAttacks is OwnershipTest {
    uint256 private constant BLOCK_GAS = 30_000_000;
    /// @dev SEC 2, §2.4.1.
    uint256 private constant SECP256K1_N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    /// @dev The passkey behind a signer contract must not go on debiting deposits.
    function test_removesAPasskeyByTheAddressOfItsSigner() public {
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        _change(REMOVE, abi.encode(_named(_signerOf(OTHER_PASSKEY))));
        assertTrue(!_owns(account, _signerOf(OTHER_PASSKEY)), "removed");
        bytes32 pin = keccak256(_passkey(OTHER_PASSKEY).key);
        assertEq(pins.signerUntil(account, pin), block.timestamp + 1 days, "unpinned");
    }

    /// @dev A contract that says it is the signer of another owner's passkey.
    function test_removesAnOwnerThatPretendsToBeASigner() public {
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        (uint256 x, uint256 y) = vm.publicKeyP256(OTHER_PASSKEY);
        address pretender = address(new Pretender(x, y, _verifiers()));
        _change(ADD, abi.encode(_named(pretender)));
        _change(REMOVE, abi.encode(_named(pretender)));
        bytes32 pin = keccak256(_passkey(OTHER_PASSKEY).key);
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "still pinned");
    }

    /// @dev Removing the first passkey removes its own signer contract, too: where that is what replaces it, nothing is removed.
    function test_replacesTheFirstPasskeyByItsOwnSigner() public {
        Owner memory added = _named(_signerOf(PASSKEY));
        _applyByPasskey(0, ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _applyByPasskey(1, REPLACE, abi.encode(_passkey(PASSKEY), added));
        assertTrue(_owns(passkeyAccount, sharedSigner), "stays: it is the same passkey");
        assertTrue(_owns(passkeyAccount, _signerOf(PASSKEY)), "and owns as it was asked");
    }

    /// @dev The other way round: the passkey stays an owner and stays pinned.
    function test_replacesItsOwnSignerByTheFirstPasskey() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        signerFactory.createSigner(x, y, _verifiers());
        _applyByPasskey(0, ADD, abi.encode(_named(_signerOf(PASSKEY))));
        _applyByPasskey(1, REPLACE, abi.encode(_named(_signerOf(PASSKEY)), _passkey(PASSKEY)));
        assertTrue(_owns(passkeyAccount, sharedSigner), "by the shared signer");
        assertTrue(!_owns(passkeyAccount, _signerOf(PASSKEY)), "not by a contract of its own");
        bytes32 pin = keccak256(_passkey(PASSKEY).key);
        assertEq(pins.signerUntil(passkeyAccount, pin), type(uint48).max, "pinned");
    }

    /// @dev Both ways in which the first passkey may own the account end with it.
    function test_removesTheFirstPasskeyWithItsOwnSigner() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        signerFactory.createSigner(x, y, _verifiers());
        _applyByPasskey(0, ADD, abi.encode(_named(_signerOf(PASSKEY))));
        bytes memory data = abi.encode(_passkey(PASSKEY));
        bytes memory signature =
            _signWithPasskey(sharedSigner, PASSKEY, ownership.changeHash(passkeyAccount, 1, REMOVE, data));
        vm.expectRevert(abi.encodeWithSelector(IOwnership.TooFewOwners.selector, passkeyAccount));
        ownership.applyChange(passkeyAccount, 1, REMOVE, data, signature);
        _applyByPasskey(1, ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _applyByPasskey(2, REMOVE, data);
        assertEq(IOwnedSafe(passkeyAccount).getOwners().length, 1, "only the other one");
        assertTrue(_owns(passkeyAccount, vm.addr(NEW_OWNER_KEY)), "stays");
    }

    /// @dev The account made the module an owner by itself: it signs nothing, so it does not count.
    function test_leavesOnlyTheModule() public {
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(ownership), 1);
        bytes memory data = abi.encode(_eoa(OWNER_KEY));
        bytes memory signature = _sign(OWNER_KEY, 0, REMOVE, data);
        vm.expectRevert(_error(IOwnership.TooFewOwners.selector));
        ownership.applyChange(account, 0, REMOVE, data, signature);
    }

    /// @dev The only owner goes and comes back: every place in the Safe's list, and the pin.
    function test_removesAndAddsAgain() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        Owner[3] memory all = [_eoa(OWNER_KEY), _eoa(NEW_OWNER_KEY), _passkey(OTHER_PASSKEY)];
        uint256 before = IOwnedSafe(account).getOwners().length;
        // Each of them is first, last and in between at some time: an added owner becomes the first of the list.
        for (uint256 i; i < 9; ++i) {
            uint256 signer = i % 3 == 0 ? NEW_OWNER_KEY : OWNER_KEY;
            _changeBy(signer, REMOVE, abi.encode(all[i % 3]));
            assertEq(IOwnedSafe(account).getOwners().length, before - 1, "one less");
            _changeBy(signer, ADD, abi.encode(all[i % 3]));
            assertEq(IOwnedSafe(account).getOwners().length, before, "one more");
        }
        for (uint256 i; i < 3; ++i) {
            bytes32 pin =
                i == 2 ? keccak256(all[2].key) : bytes32(uint256(uint160(address(bytes20(all[i].key)))));
            assertEq(pins.signerUntil(account, pin), type(uint48).max, "pinned");
        }
    }

    /// @dev A thief adds hundreds of owners: the recovery still fits into a block.
    function test_recoversFromManyOwners() public {
        _setGuardians(_guardians());
        vm.startPrank(account);
        for (uint256 i; i < 600; ++i) {
            ISafeAccount(account).addOwnerWithThreshold(address(uint160(0x10000 + i)), 1);
        }
        vm.stopPrank();
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(OWNER_KEY), _passkey(OTHER_PASSKEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        uint256 gas = gasleft();
        ownership.executeRecovery(account, owners, 1);
        assertTrue(gas - gasleft() < BLOCK_GAS, "fits into a block");
        assertEq(IOwnedSafe(account).getOwners().length, 2, "only the new owners");
    }

    /// @dev While the module is disabled nothing happens; who enables it again ends what was started in the same operation.
    function test_disabledDuringARecovery() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        vm.prank(account);
        ISafeModules(account).disableModule(address(1), address(ownership));
        vm.warp(block.timestamp + DELAY);
        vm.expectRevert(_error(IOwnership.UnsupportedAccount.selector));
        ownership.executeRecovery(account, owners, 1);
        bytes memory cancellation = _sign(OWNER_KEY, 1, CANCEL, "");
        vm.expectRevert(_error(IOwnership.UnsupportedAccount.selector));
        ownership.applyChange(account, 1, CANCEL, "", cancellation);
        // Enabling alone would let anyone execute it.
        assertTrue(ownership.stateOf(account).recovery != 0, "still there");
        _enable(account);
        ownership.applyChange(account, 1, CANCEL, "", cancellation);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, owners, 1);
        vm.expectRevert(bytes("GS102"));
        this.enableAgain();
    }

    function enableAgain() external {
        _enable(account);
    }

    /// @dev Other bytes of one signature apply the same message once; the heads are equal.
    function test_malleatedSignature() public {
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes memory signature = _sign(OWNER_KEY, 0, ADD, data);
        uint256 other = _snapshot();
        ownership.applyChange(account, 0, ADD, data, signature);
        bytes32 head = ownership.stateOf(account).head;
        bytes memory malleated = bytes.concat(_otherS(signature), "padding");
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 0, 1));
        ownership.applyChange(account, 0, ADD, data, malleated);
        _goTo(other, 137);
        ownership.applyChange(account, 0, ADD, data, malleated);
        assertTrue(ownership.stateOf(account).head == head, "not split");
    }

    /// @dev A guardian's signature has one form, so nobody turns one into two; and it names one guardian anyway.
    function test_malleatedGuardian() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        signatures[1] = GuardianSignature(signatures[0].guardian, _otherS(signatures[0].signature));
        _refusedStart(owners, signatures);
        signatures = _signRecovery(owners, 0, 2);
        signatures[1].signature = _otherS(signatures[1].signature);
        _refusedStart(owners, signatures);
    }

    /// @dev What guardians signed for one account is nothing for another with the same guardians.
    function test_recoversAnotherAccount() public {
        _setGuardians(_guardians());
        _enable(otherAccount);
        bytes memory data = abi.encode(_guardians());
        bytes32 hash = ownership.changeHash(otherAccount, 0, SET_GUARDIANS, data);
        ownership.applyChange(otherAccount, 0, SET_GUARDIANS, data, _keySignature(OTHER_OWNER_KEY, hash));
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
        ownership.startRecovery(otherAccount, 1, 1, owners, 1, _guardians(), signatures);
    }

    /// @dev Sixteen guardians that are contracts and burn what they get: 16,000,000 gas, and only of who asks them.
    function test_sixteenBurningGuardians() public {
        GuardianSet memory set = GuardianSet(new address[](16), 16, DELAY);
        GuardianSignature[] memory signatures = new GuardianSignature[](16);
        bytes memory code = address(new AcceptingBurner()).code;
        for (uint160 i; i < 16; ++i) {
            vm.etch(address(0x20000 + i), code);
            set.members[i] = address(0x20000 + i);
            signatures[i].guardian = set.members[i];
        }
        _setGuardians(set);
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        uint256 gas = gasleft();
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
        assertTrue(gas - gasleft() < 17_000_000, "bounded");
        // With less gas a guardian that says yes is not heard: nobody makes it say anything else.
        _change(CANCEL, "");
        (bool success,) = address(ownership).call{gas: 9_000_000}(
            abi.encodeCall(IOwnership.startRecovery, (account, 2, 1, owners, 1, set, signatures))
        );
        assertTrue(!success && ownership.stateOf(account).recovery == 0, "not started");
    }

    /// @dev Whoever is first executes what was signed, not something else.
    function test_frontRunsTheExecution() public {
        _setGuardians(_guardians());
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(NEW_OWNER_KEY), _passkey(OTHER_PASSKEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        Owner[] memory others = new Owner[](2);
        (others[0], others[1]) = (owners[1], owners[0]);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, others, 1);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, _only(owners[0]), 1);
        vm.prank(address(0xbad));
        ownership.executeRecovery(account, owners, 1);
        assertEq(IOwnedSafe(account).getOwners().length, 2, "what was signed");
        // The owner's cancellation came too late, and applies to nothing.
        bytes memory late = _sign(OWNER_KEY, 1, CANCEL, "");
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 1, 2));
        ownership.applyChange(account, 1, CANCEL, "", late);
    }

    function _refusedStart(Owner[] memory owners, GuardianSignature[] memory signatures) private {
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
    }

    function _changeBy(uint256 key, bytes32 kind, bytes memory data) private {
        uint64 sequence = _sequence();
        ownership.applyChange(account, sequence, kind, data, _sign(key, sequence, kind, data));
    }

    function _applyByPasskey(uint64 sequence, bytes32 kind, bytes memory data) private {
        bytes32 hash = ownership.changeHash(passkeyAccount, sequence, kind, data);
        ownership.applyChange(
            passkeyAccount, sequence, kind, data, _signWithPasskey(sharedSigner, PASSKEY, hash)
        );
    }

    /// @dev (r, s, v) and (r, N − s, 55 − v) recover to the same key.
    function _otherS(bytes memory signature) private pure returns (bytes memory) {
        bytes32 r;
        uint256 s;
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        return abi.encodePacked(r, SECP256K1_N - s, 55 - uint8(signature[64]));
    }
}

contract Pretender {
    uint256 private immutable X;
    uint256 private immutable Y;
    uint176 private immutable VERIFIERS;

    constructor(uint256 x, uint256 y, uint176 verifiers) {
        (X, Y, VERIFIERS) = (x, y, verifiers);
    }

    function getConfiguration() external view returns (uint256, uint256, uint176) {
        return (X, Y, VERIFIERS);
    }
}

contract AcceptingBurner {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        uint256 end = gasleft() > 950_000 ? gasleft() - 900_000 : 0;
        while (gasleft() > end) {}
        return 0x1626ba7e;
    }
}
