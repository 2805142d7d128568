// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEpochs, SESSIONS} from "../../interfaces/IEpochs.sol";
import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {Vm} from "../Test.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice What is signed, as EIP-712 computes it, and what is logged: the service and other networks know nothing else.
contract OwnershipMessagesTest is OwnershipTest {
    function test_changeHash() public view {
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("OwnerChange(address account,uint64 sequence,bytes32 kind,bytes data)"),
                account,
                uint64(7),
                ADD,
                keccak256(data)
            )
        );
        assertTrue(ownership.changeHash(account, 7, ADD, data) == _typed(structHash), "EIP-712");
    }

    function test_recoveryHash() public view {
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(NEW_OWNER_KEY), _passkey(OTHER_PASSKEY));
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "Recovery(address account,uint64 sequence,uint64 number,Owner[] newOwners,uint256 newThreshold)Owner(uint8 kind,bytes key)"
                ),
                account,
                uint64(7),
                uint64(5),
                keccak256(abi.encodePacked(_hashOf(owners[0]), _hashOf(owners[1]))),
                uint256(2)
            )
        );
        assertTrue(ownership.recoveryHash(account, 7, 5, owners, 2) == _typed(structHash), "EIP-712");
    }

    function test_cancelHash() public view {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("CancelRecovery(address account,uint64 sequence,uint64 number)"),
                account,
                uint64(7),
                uint64(5)
            )
        );
        assertTrue(ownership.cancelHash(account, 7, 5) == _typed(structHash), "EIP-712");
    }

    function test_resultHash() public view {
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(NEW_OWNER_KEY), _passkey(OTHER_PASSKEY));
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "RecoveryResult(address account,uint64 sequence,Owner[] newOwners,uint256 newThreshold)Owner(uint8 kind,bytes key)"
                ),
                account,
                uint64(7),
                keccak256(abi.encodePacked(_hashOf(owners[0]), _hashOf(owners[1]))),
                uint256(2)
            )
        );
        assertTrue(ownership.resultHash(account, 7, owners, 2) == _typed(structHash), "EIP-712");
    }

    function test_heads() public {
        bytes32 first = ownership.changeHash(account, 0, CANCEL, "");
        _change(CANCEL, "");
        bytes32 head = keccak256(abi.encode(bytes32(0), first));
        assertTrue(ownership.stateOf(account).head == head, "first");
        _setGuardians(_guardians());
        head = keccak256(
            abi.encode(head, ownership.changeHash(account, 1, SET_GUARDIANS, abi.encode(_guardians())))
        );
        assertTrue(ownership.stateOf(account).head == head, "second");
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _recover(owners);
        head = keccak256(abi.encode(head, ownership.resultHash(account, 2, owners, 1)));
        assertTrue(ownership.stateOf(account).head == head, "of a recovery");
    }

    // Logs

    function test_logsAChange() public {
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes memory signature = _sign(OWNER_KEY, 0, ADD, data);
        bytes32 head = keccak256(abi.encode(bytes32(0), ownership.changeHash(account, 0, ADD, data)));
        vm.expectEmit(address(ownership));
        emit IOwnership.OwnerChangeApplied(account, 0, ADD, data, signature, head);
        ownership.applyChange(account, 0, ADD, data, signature);
    }

    function test_logsGuardians() public {
        GuardianSet memory set = _guardians();
        bytes memory signature = _sign(OWNER_KEY, 0, SET_GUARDIANS, abi.encode(set));
        vm.expectEmit(address(ownership));
        emit IOwnership.GuardiansSet(account, set, uint48(block.timestamp));
        ownership.applyChange(account, 0, SET_GUARDIANS, abi.encode(set), signature);
        _start(_only(_eoa(NEW_OWNER_KEY)));
        uint48 readyAt = uint48(block.timestamp) + DELAY;
        signature = _sign(OWNER_KEY, 1, SET_GUARDIANS, abi.encode(set));
        vm.expectEmit(address(ownership));
        emit IOwnership.GuardiansSet(account, set, readyAt);
        ownership.applyChange(account, 1, SET_GUARDIANS, abi.encode(set), signature);
    }

    function test_logsARecovery() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        GuardianSet memory set = _guardians();
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        bytes32 hash = ownership.recoveryHash(account, 1, 1, owners, 1);
        uint48 readyAt = uint48(block.timestamp) + DELAY;
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryStarted(account, 1, hash, 1, owners, 1, set, signatures, readyAt);
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
        vm.warp(readyAt);
        bytes32 head = keccak256(
            abi.encode(ownership.stateOf(account).head, ownership.resultHash(account, 1, owners, 1))
        );
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryExecuted(account, 1, hash, head);
        ownership.executeRecovery(account, owners, 1);
    }

    function test_logsACancellation() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        bytes memory signature = _sign(OWNER_KEY, 1, CANCEL, "");
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryCancelled(account, ownership.recoveryHash(account, 1, 1, owners, 1));
        ownership.applyChange(account, 1, CANCEL, "", signature);
    }

    function test_logsRevokedSessions() public {
        _grant(_session());
        bytes memory signature = _sign(OWNER_KEY, 0, REVOKE_SESSIONS, "");
        vm.expectEmit(address(epochs));
        emit IEpochs.EpochEnded(account, SESSIONS, 0, uint48(block.timestamp));
        ownership.applyChange(account, 0, REVOKE_SESSIONS, "", signature);
    }

    /// @dev Executing is no cancellation.
    function test_anExecutedRecoveryIsNotCancelled() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        vm.recordLogs();
        ownership.executeRecovery(account, owners, 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertTrue(logs.length > 0, "logs");
        for (uint256 i; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != IOwnership.RecoveryCancelled.selector, "not cancelled");
        }
    }

    // Limits

    function test_sixteenNewOwners() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _many(16);
        _recover(owners);
        assertEq(IOwnedSafe(account).getOwners().length, 16, "all of them");
    }

    function test_error_seventeenNewOwners() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _many(17);
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.InvalidOwner.selector, owners[16]));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
    }

    /// @dev The last of the list is checked, too.
    function test_error_invalidNewOwner_last() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _many(3);
        owners[2] = _named(account);
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.InvalidOwner.selector, owners[2]));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
    }

    function test_sameNewOwnerTwice() public {
        _setGuardians(_guardians());
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(NEW_OWNER_KEY), _eoa(NEW_OWNER_KEY));
        _recover(owners);
        assertEq(IOwnedSafe(account).getOwners().length, 1, "once");
    }

    function test_error_lengthOfKeys() public {
        bytes memory passkey = _passkey(OTHER_PASSKEY).key;
        _refused(Owner(1, bytes.concat(passkey, hex"00")));
        _refused(Owner(1, ""));
        bytes memory short = new bytes(85);
        for (uint256 i; i < 85; ++i) {
            short[i] = passkey[i];
        }
        _refused(Owner(1, short));
        _refused(Owner(0, new bytes(19)));
        _refused(Owner(0, ""));
        _refused(Owner(255, passkey));
    }

    function test_error_noGuardians() public {
        address[] memory none = new address[](0);
        _refusedGuardians(GuardianSet(none, 1, 0));
        _refusedGuardians(GuardianSet(none, 0, 1 days));
        address[] memory zero = new address[](1);
        _refusedGuardians(GuardianSet(zero, 1, 1 days));
    }

    function test_shortestDelay() public {
        GuardianSet memory set = _guardians();
        set.delay = 1 days;
        set.threshold = 3;
        _setGuardians(set);
        assertTrue(ownership.stateOf(account).guardians == keccak256(abi.encode(set)), "set");
    }

    function _recover(Owner[] memory owners) private {
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
    }

    function _many(uint256 count) private pure returns (Owner[] memory owners) {
        owners = new Owner[](count);
        for (uint256 i; i < count; ++i) {
            owners[i] = _eoa(0x5000 + i);
        }
    }

    function _refused(Owner memory owner) private {
        bytes memory data = abi.encode(owner);
        bytes memory signature = _sign(OWNER_KEY, 0, ADD, data);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.InvalidOwner.selector, owner));
        ownership.applyChange(account, 0, ADD, data, signature);
    }

    function _refusedGuardians(GuardianSet memory set) private {
        bytes memory data = abi.encode(set);
        bytes memory signature = _sign(OWNER_KEY, 0, SET_GUARDIANS, data);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.InvalidGuardians.selector));
        ownership.applyChange(account, 0, SET_GUARDIANS, data, signature);
    }

    function _typed(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,address verifyingContract)"),
                keccak256("Ownership"),
                keccak256("1"),
                address(ownership)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _hashOf(Owner memory owner) private pure returns (bytes32) {
        return
            keccak256(abi.encode(keccak256("Owner(uint8 kind,bytes key)"), owner.kind, keccak256(owner.key)));
    }
}
