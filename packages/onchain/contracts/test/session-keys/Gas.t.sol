// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Puller} from "../attacks/SessionTargets.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev Written to snapshots/SessionKeys.json and compared in every run. The figures are the gas of `handleOps` with
/// one operation and all contracts cold, without the 21,000 and the calldata of a transaction, which preVerificationGas
/// covers.
contract SessionKeysGasTest is SessionKeysTest {
    Puller private puller;

    function setUp() public override {
        super.setUp();
        puller = new Puller();
        token.mint(address(puller), 1);
        _grant(_session());
        _grant(account, _p256Key(), _session());
        // Neither the first nonces nor the first balances.
        token.mint(RECIPIENT, 1);
        vm.deal(RECIPIENT, 1);
        vm.deal(BUNDLER, 1);
        entryPoint.depositTo{value: 1 ether}(account);
        _handle(_build(_draft(_transfer(RECIPIENT, 1))));
        _handle(_build(_draftOf(account, P256_KEY, _transfer(RECIPIENT, 1))));
        _handle(_ownersTransfer());
    }

    function test_ownersTransfer() public {
        _measure(_ownersTransfer(), "owner's operation, token transfer, for comparison");
    }

    function test_sessionsTransfer() public {
        _measure(_build(_draft(_transfer(RECIPIENT, 1))), "session's operation, token transfer");
    }

    function test_sessionsTransferP256() public {
        PackedUserOperation memory op = _build(_draftOf(account, P256_KEY, _transfer(RECIPIENT, 1)));
        _measure(op, "session's operation, token transfer, P-256 without precompile");
    }

    function test_sessionsBatch() public {
        Call[] memory calls = new Call[](3);
        calls[0] = _transfer(RECIPIENT, 1)[0];
        calls[1] = _increment()[0];
        calls[2] = _calls(RECIPIENT, 1, "")[0];
        _measure(_build(_draft(calls)), "session's operation, three calls");
    }

    function test_sessionsApproval() public {
        Session memory session = _session();
        session.rules[1] = Rule(RuleKind.Call, address(puller), Puller.pull.selector, address(0), 0);
        session.rules[3] = _tokenRule(IERC20.approve.selector, address(puller));
        _grant(session);
        _handle(_build(_draft(_transfer(RECIPIENT, 1))));
        Call[] memory calls = new Call[](2);
        calls[0] = _approve(address(puller), 1)[0];
        calls[1] = Call(address(puller), 0, abi.encodeCall(Puller.pull, (token, 1)));
        _measure(_build(_draft(calls)), "session's operation, approval and the call that takes");
    }

    function test_grant() public {
        _cool();
        vm.prank(account);
        sessionKeys.grant(_keyOf(OTHER_SESSION_KEY), _session());
        vm.snapshotGasLastCall("SessionKeys", "grant, 4 rules, 2 allowances");
    }

    function test_revoke() public {
        _cool();
        vm.prank(account);
        sessionKeys.revoke(_key());
        vm.snapshotGasLastCall("SessionKeys", "revoke");
    }

    function _ownersTransfer() private view returns (PackedUserOperation memory op) {
        Call memory call = _transfer(RECIPIENT, 1)[0];
        op.sender = account;
        op.nonce = entryPoint.getNonce(account, 0);
        op.callData = abi.encodeWithSignature(
            "executeUserOpWithErrorString(address,uint256,bytes,uint8)", call.to, 0, call.data, 0
        );
        op.accountGasLimits = bytes32(uint256(500_000) << 128 | 500_000);
        op.gasFees = bytes32(uint256(1 gwei) << 128 | 1 gwei);
        op.signature = new bytes(12);
        op.signature = bytes.concat(op.signature, _keySignature(OWNER_KEY, module.getOperationHash(op)));
    }

    function _measure(PackedUserOperation memory op, string memory name) private {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        _cool();
        entryPoint.handleOps(ops, BUNDLER);
        vm.snapshotGasLastCall("SessionKeys", name);
    }

    function _cool() private {
        vm.cool(address(sessionKeys));
        vm.cool(address(epochs));
        vm.cool(address(entryPoint));
        vm.cool(address(module));
        vm.cool(account);
        vm.cool(singleton);
        vm.cool(address(token));
        vm.cool(address(counter));
        vm.cool(address(puller));
    }
}
