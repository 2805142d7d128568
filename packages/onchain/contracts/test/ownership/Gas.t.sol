// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, Owner} from "../../interfaces/IOwnership.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice Gas of one change on one network, all cold, without the transaction's own 21,000 and its calldata.
contract OwnershipGasTest is OwnershipTest {
    /// @dev EIP-7825: the most gas that a transaction may have.
    uint256 private constant TRANSACTION_GAS = 16_777_216;
    /// @dev Of the transaction, and of its 292 bytes of calldata.
    uint256 private constant INTRINSIC_GAS = 25_000;
    uint256 private constant MOST = 1_130;

    function test_addOwner() public {
        _measure(ADD, abi.encode(_eoa(NEW_OWNER_KEY)), "add an EOA, first change");
        _measure(ADD, abi.encode(_eoa(THIRD_PARTY_KEY)), "add an EOA");
        _measure(ADD, abi.encode(_passkey(OTHER_PASSKEY)), "add a passkey");
    }

    function test_removeOwner() public {
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        _measure(REMOVE, abi.encode(_passkey(OTHER_PASSKEY)), "remove a passkey");
    }

    function test_replaceOwner() public {
        _change(CANCEL, "");
        _measure(REPLACE, abi.encode(_eoa(OWNER_KEY), _eoa(NEW_OWNER_KEY)), "replace an EOA by an EOA");
    }

    function test_setGuardians() public {
        _change(CANCEL, "");
        _measure(SET_GUARDIANS, abi.encode(_guardians()), "set three guardians");
    }

    function test_revokeSessions() public {
        _grant(_session());
        _change(CANCEL, "");
        _measure(REVOKE_SESSIONS, "", "revoke one session");
    }

    function test_recovery() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        GuardianSet memory set = _guardians();
        _cool();
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
        vm.snapshotGasLastCall("Ownership", "start a recovery, two of three guardians");
        vm.warp(block.timestamp + DELAY);
        _cool();
        ownership.executeRecovery(account, owners, 1);
        vm.snapshotGasLastCall("Ownership", "execute a recovery");
    }

    /// @dev A thief may add any number.
    function test_recoveryFromManyOwners() public {
        _setGuardians(_guardians());
        _recoverFrom(100);
        vm.snapshotGasLastCall("Ownership", "execute a recovery, 100 owners more");
    }

    /// @dev How many a recovery removes in one transaction (docs/audit/ownership.md).
    function test_recoveryFromMostOwners() public {
        _setGuardians(_guardians());
        uint256 begin = _snapshot();
        assertTrue(_recoverFrom(MOST) + INTRINSIC_GAS < TRANSACTION_GAS, "fits");
        _goTo(begin, 1);
        assertTrue(_recoverFrom(MOST + 10) + INTRINSIC_GAS > TRANSACTION_GAS, "ten more do not");
    }

    function _recoverFrom(uint256 count) private returns (uint256 gas) {
        vm.startPrank(account);
        for (uint256 i; i < count; ++i) {
            ISafeAccount(account).addOwnerWithThreshold(address(uint160(0x10000 + i)), 1);
        }
        vm.stopPrank();
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        _cool();
        gas = gasleft();
        ownership.executeRecovery(account, owners, 1);
        gas -= gasleft();
    }

    function _measure(bytes32 kind, bytes memory data, string memory name) private {
        uint64 sequence = _sequence();
        bytes memory signature = _sign(OWNER_KEY, sequence, kind, data);
        _cool();
        ownership.applyChange(account, sequence, kind, data, signature);
        vm.snapshotGasLastCall("Ownership", name);
    }

    function _cool() private {
        vm.cool(address(ownership));
        vm.cool(account);
        vm.cool(singleton);
        vm.cool(address(sessionKeys));
        vm.cool(address(epochs));
        vm.cool(address(signerFactory));
        vm.cool(address(pins));
    }
}
