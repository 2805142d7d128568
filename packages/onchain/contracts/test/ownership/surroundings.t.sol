// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {OwnershipSurroundings, SafeOwners} from "../../ownership/SafeOwners.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {Vm} from "../Test.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice Networks without a smart balance or session keys, and contracts around the module that fail.
contract OwnershipSurroundingsTest is OwnershipTest {
    function test_default() public view {
        SafeOwners parts = SafeOwners(address(ownership));
        assertEq(uint160(parts.SESSION_KEYS()), uint160(address(sessionKeys)), "session keys");
        assertEq(uint160(parts.SMART_BALANCE()), uint160(address(pins)), "smart balance");
        assertEq(uint160(parts.SHARED_SIGNER()), uint160(sharedSigner), "shared signer");
        assertEq(uint160(parts.SIGNER_FACTORY()), uint160(address(signerFactory)), "factory");
        assertEq(uint160(parts.EPOCHS()), uint160(address(epochs)), "epochs");
    }

    function test_networkWithoutSmartBalanceSessionKeysAndEpochs() public {
        _use(address(0xdead), address(0xbeef), address(0xfade));
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        _change(REMOVE, abi.encode(_passkey(OTHER_PASSKEY)));
        _change(REVOKE_SESSIONS, "");
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        assertEq(IOwnedSafe(account).getOwners().length, 1, "recovered");
    }

    /// @dev Only a new passkey needs a signer contract.
    function test_createsOnlyWhatOwns() public {
        vm.recordLogs();
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _byPasskey(0, ADD, abi.encode(_passkey(PASSKEY)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertTrue(logs.length > 0, "logs");
        for (uint256 i; i < logs.length; ++i) {
            assertTrue(logs[i].emitter != address(signerFactory), "nothing created");
        }
        assertEq(_signerOf(PASSKEY).code.length, 0, "the first passkey has the shared signer");
    }

    /// @dev What the account cannot do, is not done by half: the error arrives, and the sequence stays.
    function test_error_callOfTheAccountFails() public {
        _use(address(new FailingPins()), address(sessionKeys), address(epochs));
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes memory signature = _sign(OWNER_KEY, 0, ADD, data);
        vm.expectRevert(abi.encodeWithSelector(FailingPins.NoMorePins.selector, uint256(7)));
        ownership.applyChange(account, 0, ADD, data, signature);
        assertEq(_sequence(), 0, "not consumed");
        assertTrue(!_owns(account, vm.addr(NEW_OWNER_KEY)), "not added");
    }

    /// @dev What is pinned already, or is not, is not touched: SmartBalance would restart or refuse.
    function test_pinsAreLeftAlone() public {
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        vm.prank(account);
        pins.addSigner(pin);
        vm.recordLogs();
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertEq(_logsOfPins(), 0, "pinned before");
        vm.prank(account);
        pins.removeSigner(pin);
        uint256 until = pins.signerUntil(account, pin);
        vm.warp(block.timestamp + 1 hours);
        vm.recordLogs();
        _change(REMOVE, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertEq(_logsOfPins(), 0, "ends already");
        assertEq(pins.signerUntil(account, pin), until, "at the same time");
    }

    /// @dev The first passkey's pin ends with a recovery, or stays if it is among the new owners.
    function test_recoversAPasskeyAccount() public {
        bytes32 pin = keccak256(_passkey(PASSKEY).key);
        _byPasskey(0, ADD, abi.encode(_passkey(PASSKEY)));
        assertEq(pins.signerUntil(passkeyAccount, pin), type(uint48).max, "pinned");
        _byPasskey(1, SET_GUARDIANS, abi.encode(_guardians()));
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_passkey(PASSKEY), _eoa(NEW_OWNER_KEY));
        _recoverPasskeyAccount(2, owners);
        assertTrue(_owns(passkeyAccount, sharedSigner), "in the shared signer");
        assertEq(IOwnedSafe(passkeyAccount).getOwners().length, 2, "both");
        assertEq(pins.signerUntil(passkeyAccount, pin), type(uint48).max, "pinned");
        owners = _only(_eoa(NEW_OWNER_KEY));
        _recoverPasskeyAccount(3, owners);
        assertEq(IOwnedSafe(passkeyAccount).getOwners().length, 1, "the only one");
        assertEq(pins.signerUntil(passkeyAccount, pin), block.timestamp + 1 days, "unpinned");
    }

    /// @dev Owners that are contracts, and answer the question for their passkey in every wrong way.
    function test_recoversFromContracts() public {
        address[4] memory contracts = [
            address(new Answering("")),
            address(new Answering(abi.encode(uint256(1), uint256(2)))),
            address(new Answering(abi.encode(uint256(1), uint256(2), type(uint256).max))),
            address(new Answering(abi.encode(uint256(1), uint256(2), uint256(3), uint256(4))))
        ];
        for (uint256 i; i < contracts.length; ++i) {
            _change(ADD, abi.encode(_named(contracts[i])));
        }
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        for (uint256 i; i < contracts.length; ++i) {
            assertTrue(!_owns(account, contracts[i]), "removed");
            bytes32 pin = bytes32(uint256(uint160(contracts[i])));
            assertEq(pins.signerUntil(account, pin), block.timestamp + 1 days, "unpinned");
        }
    }

    /// @dev The longer answer of a contract is no answer, even if it begins with a passkey of another owner.
    function test_longAnswer() public {
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        (uint256 x, uint256 y) = vm.publicKeyP256(OTHER_PASSKEY);
        address signer = _signerOf(OTHER_PASSKEY);
        vm.etch(signer, _answering(abi.encode(x, y, uint256(_verifiers()), uint256(0))));
        _change(REMOVE, abi.encode(_named(signer)));
        bytes32 pin = keccak256(_passkey(OTHER_PASSKEY).key);
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "not a signer of the factory");
    }

    function _use(address smartBalance, address sessions, address epochs_) private {
        ownership = IOwnership(
            _create(
                _creationCode("Ownership"),
                abi.encode(
                    OwnershipSurroundings(
                        sessions, smartBalance, sharedSigner, address(signerFactory), epochs_
                    )
                )
            )
        );
        _enable(account);
    }

    function _byPasskey(uint64 sequence, bytes32 kind, bytes memory data) private {
        bytes32 hash = ownership.changeHash(passkeyAccount, sequence, kind, data);
        ownership.applyChange(
            passkeyAccount, sequence, kind, data, _signWithPasskey(sharedSigner, PASSKEY, hash)
        );
    }

    function _recoverPasskeyAccount(uint64 sequence, Owner[] memory owners) private {
        address safe = account;
        account = passkeyAccount;
        assertEq(_sequence(), sequence, "sequence");
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        account = safe;
    }

    function _logsOfPins() private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter == address(pins)) ++count;
        }
    }

    /// @dev Runtime code that returns `answer` to everything.
    function _answering(bytes memory answer) private pure returns (bytes memory) {
        // PUSH1 length, PUSH1 12, PUSH0, CODECOPY, PUSH1 length, PUSH0, RETURN
        return abi.encodePacked(
            hex"60", uint8(answer.length), hex"600a5f3960", uint8(answer.length), hex"5ff3", answer
        );
    }
}

contract FailingPins {
    error NoMorePins(uint256 limit);

    function signerUntil(address, bytes32) external pure returns (uint48) {
        return 0;
    }

    function addSigner(bytes32) external pure {
        revert NoMorePins(7);
    }
}

contract Answering {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback() external {
        bytes memory answer = _answer;
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }
}
