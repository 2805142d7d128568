// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PINS, SESSIONS} from "../../interfaces/IEpochs.sol";
import {IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {BurningOwner} from "./forgeable.t.sol";
import {IModules} from "./Handler.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

interface IMessageSigner {
    function signMessage(bytes calldata data) external;
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// @notice What a thief leaves behind: pins, sessions, and owners that are expensive to remove.
contract LeftoversTest is OwnershipTest {
    /// @dev Of the owners in a Safe's storage.
    uint256 private constant OWNERS_SLOT = 2;

    /// @dev The thief pinned a key that owns nothing: no removal of an owner names it.
    function test_recoveryEndsAThiefsPin() public {
        bytes32 thief = bytes32(uint256(uint160(vm.addr(THIRD_PARTY_KEY))));
        vm.prank(account);
        pins.addSigner(thief);
        _recover(_only(_eoa(OWNER_KEY)));
        assertEq(pins.signerUntil(account, thief), block.timestamp + 1 days, "ends");
        bytes32 kept = bytes32(uint256(uint160(vm.addr(OWNER_KEY))));
        assertEq(pins.signerUntil(account, kept), type(uint48).max, "who stays is pinned anew");
        assertEq(epochs.epochOf(account, PINS), 1, "one epoch");
        assertEq(epochs.epochOf(account, SESSIONS), 1, "of each");
    }

    /// @dev Pinned before, so that only pinning anew keeps it.
    function test_keptOwnersArePinnedAnew() public {
        bytes32 kept = bytes32(uint256(uint160(vm.addr(OWNER_KEY))));
        vm.prank(account);
        pins.addSigner(kept);
        _recover(_only(_eoa(OWNER_KEY)));
        assertEq(pins.signerUntil(account, kept), type(uint48).max, "pinned");
    }

    /// @dev Beyond the 32nd, and with the next grant: none of them comes back.
    function test_recoveryEndsEverySession() public {
        for (uint256 i = 1; i <= 40; ++i) {
            _grant(account, bytes32(i), _session());
        }
        _recover(_only(_eoa(OWNER_KEY)));
        vm.startPrank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(sessionKeys), 1);
        vm.stopPrank();
        _grant(account, bytes32(uint256(99)), _session());
        assertEq(sessionKeys.keysOf(account).length, 1, "only the new one");
    }

    function test_removalOfAnyOwnerEndsSessions() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _grant(_session());
        _change(REMOVE, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertEq(sessionKeys.keysOf(account).length, 0, "ended");
        assertTrue(_owns(account, address(sessionKeys)), "the next grant needs nothing else");
        _grant(_session());
        _change(REPLACE, abi.encode(_eoa(THIRD_PARTY_KEY), _eoa(NEW_OWNER_KEY)));
        assertEq(sessionKeys.keysOf(account).length, 0, "ended");
        _grant(_session());
        _change(ADD, abi.encode(_eoa(OTHER_OWNER_KEY)));
        assertEq(sessionKeys.keysOf(account).length, 1, "an addition ends none");
        // On a network where the account has removed the owner by itself, without an epoch.
        _change(REMOVE, abi.encode(_eoa(THIRD_PARTY_KEY)));
        assertEq(sessionKeys.keysOf(account).length, 0, "ended");
    }

    /// @dev The pin stays while the passkey still owns the account by the shared signer.
    function test_removesOnlyTheSignerContract() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        signerFactory.createSigner(x, y, _verifiers());
        bytes32 pin = keccak256(_passkey(PASSKEY).key);
        vm.prank(passkeyAccount);
        pins.addSigner(pin);
        _byPasskey(0, ADD, abi.encode(_named(_signerOf(PASSKEY))));
        _byPasskey(1, REMOVE, abi.encode(_named(_signerOf(PASSKEY))));
        assertTrue(!_owns(passkeyAccount, _signerOf(PASSKEY)), "removed");
        assertTrue(_owns(passkeyAccount, sharedSigner), "still owns");
        assertEq(pins.signerUntil(passkeyAccount, pin), type(uint48).max, "still pinned");
    }

    /// @dev The sender chooses the gas. There is none with which an owner leaves, and its pin or a session stays.
    function test_removal_gasDecidesNothing() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        address signer = signerFactory.createSigner(x, y, _verifiers());
        bytes32 pin = keccak256(_passkey(PASSKEY).key);
        _change(ADD, abi.encode(_passkey(PASSKEY)));
        _grant(_session());
        bytes memory data = abi.encode(_named(signer));
        bytes memory call = abi.encodeCall(
            IOwnership.applyChange, (account, 1, REMOVE, data, _sign(OWNER_KEY, 1, REMOVE, data))
        );
        uint256 begin = _snapshot();
        uint256 removals;
        for (uint256 gas = 20_000; gas < 260_000; gas += 2_000) {
            (bool success,) = address(ownership).call{gas: gas}(call);
            assertEq(_sequence(), success ? 2 : 1, "nothing is consumed by half");
            assertTrue(_owns(account, signer) != success, "removed");
            bool isPinned = pins.signerUntil(account, pin) == type(uint48).max;
            assertTrue(isPinned != success, "its pin ends");
            assertEq(sessionKeys.keysOf(account).length, success ? 0 : 1, "and every session");
            if (success) ++removals;
            _goTo(begin, 1);
            begin = _snapshot();
        }
        assertTrue(removals > 0, "enough gas");
    }

    /// @dev A thief's DELEGATECALL writes any slot. An owner outside the Safe's list is in no list that could be removed, and
    /// signs: only another account is safe.
    function test_recoveryLeavesAnOwnerOutsideTheList() public {
        address thief = vm.addr(THIRD_PARTY_KEY);
        bytes32 slot = keccak256(abi.encode(thief, OWNERS_SLOT));
        _delegateCall(address(new Writer()), abi.encodeCall(Writer.write, (slot, bytes32(uint256(1)))));
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _recover(owners);
        address[] memory listed = IOwnedSafe(account).getOwners();
        assertEq(listed.length, 1, "one owner is listed");
        assertTrue(listed[0] == vm.addr(NEW_OWNER_KEY), "the new one");
        bytes memory data = abi.encode(_eoa(OTHER_OWNER_KEY));
        ownership.applyChange(account, 2, ADD, data, _sign(THIRD_PARTY_KEY, 2, ADD, data));
        assertTrue(_owns(account, vm.addr(OTHER_OWNER_KEY)), "the thief still decides");
    }

    /// @dev A message that the account signed on chain (SignMessageLib) needs no owner any more: nothing unsigns it.
    function test_recoveryLeavesSignedMessages() public {
        address library_ = _create(
            _code(
                "node_modules/@safe-global/safe-contracts/build/artifacts/contracts/libraries/SignMessageLib.sol/SignMessageLib.json"
            ),
            ""
        );
        bytes32 permit = keccak256("a permit for the thief");
        _delegateCall(library_, abi.encodeCall(IMessageSigner.signMessage, (abi.encode(permit))));
        _recover(_only(_eoa(NEW_OWNER_KEY)));
        assertTrue(
            IMessageSigner(account).isValidSignature(permit, "") == IMessageSigner.isValidSignature.selector,
            "still signed"
        );
    }

    /// @dev The list of owners stays the same, and the first passkey owns nothing any more.
    function test_recoveryEndsAThiefsKeyInTheSharedSigner() public {
        _byPasskey(0, SET_GUARDIANS, abi.encode(_guardians()));
        (uint256 x, uint256 y) = vm.publicKeyP256(OTHER_PASSKEY);
        bytes memory configured =
            abi.encodeWithSignature("configure((uint256,uint256,uint176))", x, y, _verifiers());
        vm.prank(address(ownership));
        IModules(passkeyAccount).execTransactionFromModule(sharedSigner, 0, configured, 1);
        bytes32 hash = ownership.changeHash(passkeyAccount, 1, CANCEL, "");
        ownership.applyChange(
            passkeyAccount, 1, CANCEL, "", _signWithPasskey(sharedSigner, OTHER_PASSKEY, hash)
        );
        Owner[] memory owners = _only(_passkey(PASSKEY));
        hash = ownership.recoveryHash(passkeyAccount, 2, 1, owners, 1);
        ownership.startRecovery(passkeyAccount, 2, 1, owners, 1, _guardians(), _byGuardians(hash, 0, 2));
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(passkeyAccount, owners, 1);
        assertTrue(!_owns(passkeyAccount, sharedSigner), "removed with the thief's key");
        assertTrue(_owns(passkeyAccount, _signerOf(PASSKEY)), "the passkey owns by its own signer");
    }

    /// @dev The module does not see it: one of two owners still signs orders over the account's deposits.
    function test_thresholdByHandKeepsPins() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        vm.startPrank(account);
        IOwnedSafe(account).changeThreshold(2);
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "still pinned");
        epochs.raise(PINS);
        vm.stopPrank();
        assertEq(pins.signerUntil(account, pin), block.timestamp + 1 days, "ends");
    }

    function _delegateCall(address target, bytes memory data) private {
        vm.prank(address(ownership));
        assertTrue(IModules(account).execTransactionFromModule(target, 0, data, 1), "executed");
    }

    /// @dev An owner that burns what it is given costs no more than a plain one.
    function test_burningOwners() public {
        _setGuardians(_guardians());
        uint256 begin = _snapshot();
        uint256 plain = _costOf(50, false);
        _goTo(begin, 1);
        uint256 burning = _costOf(50, true);
        assertTrue(burning <= plain, "no more");
    }

    function _costOf(uint256 count, bool burns) private returns (uint256 gas) {
        bytes memory code = address(new BurningOwner()).code;
        vm.startPrank(account);
        for (uint256 i; i < count; ++i) {
            address owner = address(uint160(0x10000 + i));
            if (burns) vm.etch(owner, code);
            ISafeAccount(account).addOwnerWithThreshold(owner, 1);
        }
        vm.stopPrank();
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        gas = gasleft();
        ownership.executeRecovery(account, owners, 1);
        gas -= gasleft();
        assertEq(IOwnedSafe(account).getOwners().length, 1, "only the new owner");
    }

    function _recover(Owner[] memory owners) private {
        _setGuardians(_guardians());
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
    }

    function _byPasskey(uint64 sequence, bytes32 kind, bytes memory data) private {
        bytes32 hash = ownership.changeHash(passkeyAccount, sequence, kind, data);
        ownership.applyChange(
            passkeyAccount, sequence, kind, data, _signWithPasskey(sharedSigner, PASSKEY, hash)
        );
    }
}

contract Writer {
    function write(bytes32 slot, bytes32 value) external {
        assembly ("memory-safe") {
            sstore(slot, value)
        }
    }
}
